/** Removes all documents of one owner and counts them. */
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { OwnerId } from './owner.ts'
import type { OwnerRegistry } from './owner-registry.ts'
import { type RemovedDocument, removeFolder } from './remove-folder.ts'

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

const countByFolder = (ownerFolder: string, removed: readonly RemovedDocument[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const { path } of removed) {
    // `<home>/<folder>/…`
    const [, folder = ''] = path.slice(ownerFolder.length + 1).split('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export interface EraseOwnerOptions {
  readonly storage: StorageBackend
  readonly registry: OwnerRegistry
  readonly clock: Clock
  /** Called once the owner is no longer registered: whoever opens the home afterwards starts a new one. */
  readonly onUnregistered: () => Promise<void>
}

/**
 * Removes the registration first: afterwards, no write of another process to the old home persists. A new home that the owner starts meanwhile is not touched.
 * Calling it again finishes an interrupted erasure.
 */
export const eraseOwner = async (owner: OwnerId, options: EraseOwnerOptions): Promise<Result<ErasureReceipt>> => {
  const { storage, registry, clock, onUnregistered } = options
  const unregistered = await registry.remove(owner)
  if (!unregistered.ok) return unregistered
  await onUnregistered()
  const ownerFolder = unregistered.value
  const begunAnew = await registry.find(owner)
  if (!begunAnew.ok) return begunAnew
  const removed = await removeFolder(storage, ownerFolder, begunAnew.value?.folder)
  if (!removed.ok) return removed
  return ok({
    owner,
    erasedAt: clock(),
    documents: removed.value.length,
    bytes: removed.value.reduce((sum, { size }) => sum + size, 0),
    folders: countByFolder(ownerFolder, removed.value),
  })
}
