/**
 * The registered owners: a small document for each, `owners/<tenant>/<user>.json`, written before any other document of the owner. It names the folder of the
 * home. After an erasure the owner gets a new folder, so that a late write to the old home never appears in the new one.
 */

import * as z from 'zod/mini'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { HOMES_FOLDER, OWNERS_FOLDER } from '../storage/storage-paths.ts'
import { type OwnerId, ownerOfPath, ownerPath } from './owner.ts'

const SUFFIX = '.json'
/** Names that are read before other work can run: some milliseconds. */
const OWNERS_AT_ONCE = 1_000

const registrationSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** A path segment that was never used before. */
    home: z.string().check(z.regex(/^[a-z0-9-]{1,64}$/)),
    tenant: z.optional(z.string()),
    user: z.string(),
    /** Epoch milliseconds. */
    createdAt: z.number(),
  }),
)

type Registration = z.infer<typeof registrationSchema>

/** A home that exists. */
export interface RegisteredHome {
  /** The folder that contains every home this owner ever had. */
  readonly ownerFolder: string
  /** The folder of the current home, inside `ownerFolder`. */
  readonly folder: string
}

export interface OwnerList {
  /** Sorted by tenant, then by user. */
  readonly owners: readonly OwnerId[]
  /** One error for each registration that could not be read. */
  readonly problems: readonly HermesError[]
}

export interface OwnerRegistry {
  /** `undefined` if the owner has no home. */
  find(owner: OwnerId): Promise<Result<RegisteredHome | undefined>>
  /** Finds the home or registers a new one. */
  ensure(owner: OwnerId): Promise<Result<RegisteredHome>>
  /** Unregisters the owner and returns the `ownerFolder`. */
  remove(owner: OwnerId): Promise<Result<string>>
  list(): Promise<Result<OwnerList>>
}

export const ownerRegistry = (options: {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
}): OwnerRegistry => {
  const { storage, clock, createId } = options

  const place = async (owner: OwnerId) => {
    const path = await ownerPath(owner)
    return { document: `${OWNERS_FOLDER}/${path}${SUFFIX}`, ownerFolder: `${HOMES_FOLDER}/${path}` }
  }

  const toHome = (ownerFolder: string, { home }: Registration): RegisteredHome => ({ ownerFolder, folder: `${ownerFolder}/${home}` })

  const begin = (owner: OwnerId): Registration => ({
    version: 1,
    // Ids differ at their end.
    home: `h-${createId()
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .slice(-62)}`,
    ...owner,
    createdAt: clock(),
  })

  return {
    async find(owner) {
      const { document, ownerFolder } = await place(owner)
      const found = await readJsonDocument(storage, document, registrationSchema)
      return found.ok ? ok(found.value && toHome(ownerFolder, found.value)) : found
    },
    async ensure(owner) {
      const { document, ownerFolder } = await place(owner)
      const begun = begin(owner)
      const written = await updateJsonDocument(storage, document, registrationSchema, (current) => (current ? UNCHANGED : begun))
      return written.ok ? ok(toHome(ownerFolder, written.value ?? begun)) : written
    },
    async remove(owner) {
      const { document, ownerFolder } = await place(owner)
      const removed = await updateDocument(storage, document, () => undefined, { forget: true })
      return removed.ok ? ok(ownerFolder) : removed
    },
    async list() {
      const listed = await storage.list(OWNERS_FOLDER)
      if (!listed.ok) return listed
      const owners: OwnerId[] = []
      const problems: HermesError[] = []
      for (const [index, { path }] of listed.value.entries()) {
        if (index % OWNERS_AT_ONCE === OWNERS_AT_ONCE - 1) await pause()
        const named = path.endsWith(SUFFIX) ? ownerOfPath(path.slice(OWNERS_FOLDER.length + 1, -SUFFIX.length)) : undefined
        if (named) {
          owners.push(named)
          continue
        }
        // A long name is hashed in the path, so it is read from the document.
        const read = await readJsonDocument(storage, path, registrationSchema)
        if (!read.ok) problems.push(read.error)
        else if (read.value)
          owners.push({ ...(read.value.tenant === undefined ? {} : { tenant: read.value.tenant }), user: read.value.user })
      }
      return ok({ owners, problems })
    },
  }
}
