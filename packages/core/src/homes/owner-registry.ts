/**
 * Which owners there are: a small document for each, `owners/<tenant>/<user>.json`, written before anything else of the owner is. It names the owner's
 * folder, which is new each time an owner begins anew: what a late writer of an erased home writes never meets the next one.
 */
import { z } from 'zod'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { HOMES_FOLDER, OWNERS_FOLDER } from '../storage/storage-paths.ts'
import { type OwnerId, ownerOfPath, ownerPath } from './owner.ts'

const SUFFIX = '.json'
/** Names read before everything else that waits has its turn: some milliseconds. */
const OWNERS_AT_ONCE = 1_000

const registrationSchema = z.object({
  version: z.literal(1),
  /** A path segment, never used before. */
  home: z.string().regex(/^[a-z0-9-]{1,64}$/),
  tenant: z.string().optional(),
  user: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
})

type Registration = z.infer<typeof registrationSchema>

/** A home that exists. */
export interface RegisteredHome {
  /** The folder of everything that was ever of this owner. */
  readonly ownerFolder: string
  /** The folder of the home, inside of it. */
  readonly folder: string
}

export interface OwnerList {
  /** By tenant, then by user. */
  readonly owners: readonly OwnerId[]
  /** Registrations that could not be read, and are left out. */
  readonly problems: readonly HermesError[]
}

export interface OwnerRegistry {
  /** Undefined where nothing was ever written for the owner. */
  find(owner: OwnerId): Promise<Result<RegisteredHome | undefined>>
  /** Finds the home, or registers it. */
  ensure(owner: OwnerId): Promise<Result<RegisteredHome>>
  /** Afterwards the owner's folder is nobody's. Answers where it lies. */
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
    // The end of an id is what differs.
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
      const removed = await storage.update(document, () => undefined)
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
        // A long name is told by the document alone.
        const read = await readJsonDocument(storage, path, registrationSchema)
        if (!read.ok) problems.push(read.error)
        else if (read.value)
          owners.push({ ...(read.value.tenant === undefined ? {} : { tenant: read.value.tenant }), user: read.value.user })
      }
      return ok({ owners, problems })
    },
  }
}
