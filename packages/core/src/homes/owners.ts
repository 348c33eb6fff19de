/**
 * The owners of a storage: a small document for each, its registration `owners/<tenant>/<user>.json`, written in the same update as the first other document of
 * the owner and removed in the same update as the last.
 */
import * as z from 'zod/mini'
import type { Clock } from '../shared/clock.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { OWNERS_FOLDER } from '../storage/storage-paths.ts'
import { type OwnerId, ownerOfPath, placeOf, REGISTRATION_SUFFIX } from './owner.ts'
import { encodeErasing } from './owner-storage.ts'

/** Names that are read before other work can run: some milliseconds. */
const OWNERS_AT_ONCE = 1_000

/** What is read of a registration. The name in its path may be hashed. */
const registrationSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({ version: z.literal(1), tenant: z.optional(z.string()), user: z.string() }),
)

export interface OwnerList {
  /** Sorted by tenant, then by user. */
  readonly owners: readonly OwnerId[]
  /** One error for each registration that could not be read. */
  readonly problems: readonly HermesError[]
}

export const listOwners = async (storage: StorageBackend): Promise<Result<OwnerList>> => {
  const listed = await storage.list(OWNERS_FOLDER)
  if (!listed.ok) return listed
  const owners: OwnerId[] = []
  const problems: HermesError[] = []
  for (const [index, { path }] of listed.value.entries()) {
    if (index % OWNERS_AT_ONCE === OWNERS_AT_ONCE - 1) await pause()
    const named = path.endsWith(REGISTRATION_SUFFIX)
      ? ownerOfPath(path.slice(OWNERS_FOLDER.length + 1, -REGISTRATION_SUFFIX.length))
      : undefined
    // A long name is hashed in the path, so it is read from the document.
    const read = named ? ok(named) : await readJsonDocument(storage, path, registrationSchema)
    if (!read.ok) problems.push(read.error)
    else if (read.value) owners.push({ ...(read.value.tenant === undefined ? {} : { tenant: read.value.tenant }), user: read.value.user })
  }
  return ok({ owners, problems })
}

/** What was removed, without any of its content. */
export interface ErasureReceipt {
  readonly owner: OwnerId
  /** Epoch milliseconds. */
  readonly erasedAt: number
  /** Documents removed by this call; 0 if there were none or another call removed them first. */
  readonly documents: number
  readonly bytes: number
  /** Number of removed documents by top folder of the home, such as `memories`, `skills`, `sessions` and `journal`. */
  readonly folders: Readonly<Record<string, number>>
  /** What the external memory provider erased; absent without one. */
  readonly provider?: ErasedByProvider
}

export interface ErasedByProvider {
  readonly name: string
  /** Stored things that it erased. */
  readonly items: number
  /** Set if it could not erase: why, and what to do about it. */
  readonly remaining?: string
}

const countByFolder = (home: string, removed: readonly DocumentInfo[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const { path } of removed) {
    const [folder = ''] = path.slice(home.length + 1).split('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export interface Erased {
  readonly receipt: ErasureReceipt
  /** Something in the home is not a document that can be removed. All else was removed. */
  readonly problem: HermesError | undefined
}

/** Removing that many takes some seconds on a slow disk. */
const DOCUMENTS_AT_ONCE = 200

const notRemoved = ({ path, unreadable }: DocumentInfo): HermesError => {
  const message = `'${path}' is not a document (${unreadable}) and could not be removed. Remove it manually, then try again.`
  return new HermesError('unwritable', message, { details: { path } })
}

/**
 * Removes the registration and every document of the home, and what the back end's own files hold of them: in one update, or, if there are many, in several, of
 * which the first makes the registration one of a home that is being erased. No handle of the home, in any process, reads or writes anything afterwards. The next
 * call finishes an interrupted erasure.
 */
export const eraseOwner = async (storage: StorageBackend, owner: OwnerId, clock: Clock): Promise<Result<Erased>> => {
  const { registration, folder } = await placeOf(owner)
  const erasing = encodeErasing(owner)
  const documents: DocumentInfo[] = []
  for (let isFirst = true; ; isFirst = false) {
    const removed = await storage.update(
      [registration, `${folder}/`],
      (cut) => {
        const found = cut.document(registration)?.bytes
        // Another call has finished the erasure, and the owner may have begun a new home.
        if (!isFirst && !(found && equalBytes(found, erasing))) return { value: { part: [], isLast: true, left: undefined } }
        const infos = cut.list(folder)
        const readable = infos.filter(({ unreadable }) => unreadable === undefined)
        const part = readable.slice(0, DOCUMENTS_AT_ONCE)
        const isLast = part.length === readable.length
        const put = Object.fromEntries(part.map(({ path }) => [path, null]))
        return {
          put: { ...put, [registration]: isLast ? null : erasing },
          value: { part, isLast, left: infos.find(({ unreadable }) => unreadable !== undefined) },
        }
      },
      { forget: true },
    )
    if (!removed.ok) return removed
    const { part, isLast, left } = removed.value
    documents.push(...part)
    if (!isLast) continue
    const bytes = documents.reduce((sum, { size }) => sum + size, 0)
    const receipt = { owner, erasedAt: clock(), documents: documents.length, bytes, folders: countByFolder(folder, documents) }
    return ok({ receipt, problem: left && notRemoved(left) })
  }
}
