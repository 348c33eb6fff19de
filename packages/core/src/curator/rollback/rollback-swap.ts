/**
 * Replaces the documents that differ, each in an atomic step, in an order that keeps every skill either live or archived at any moment.
 */
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER } from '../../skills/archive.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { isBelow } from '../../storage/document-tree.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { batchesOf, inBatches } from '../backup/backup-batches.ts'
import type { OpenBackup } from '../backup/backup-open.ts'
import { leaveArchive, leaveLibrary, type Moved } from './rollback-leave.ts'
import { archiveNamesIn, isAbandonedManifestIn, type Leaving, type RollbackPlan } from './rollback-plan.ts'
import { putDocument, replacedName } from './rollback-put.ts'
import { isStillOpen, type RollbackState } from './rollback-state.ts'
import { findTwins } from './rollback-twin.ts'

/** Shared by all steps of one rollback. */
export interface RollbackWork {
  readonly storage: StorageBackend
  /** The backup to restore. */
  readonly open: OpenBackup
  readonly state: RollbackState
  /** True if a backup holds these bytes at this path, so that no copy is needed before replacing. */
  readonly isBackedUp: (path: string, sha256: string) => boolean
}

/** Results of the steps, filled as they run. */
export interface Swapped {
  /** Restored documents. */
  readonly restored: string[]
  /** Skills that are not in the backup, or their files; `to` is the path in the archive. */
  readonly archived: Moved[]
  /** Skills that the archive holds already, other documents that are not in the backup, and archive entries whose skills are back. */
  readonly setAside: Moved[]
  /** What could not be moved and remains in place. */
  readonly problems: HermesError[]
}

/** The initial value. */
export const nothingSwapped = (): Swapped => ({ restored: [], archived: [], setAside: [], problems: [] })

/** A link or a permission that a retry would not change; the item remains in place. */
const staysInPlace = ({ code }: HermesError): boolean => code === 'invalid_path' || code === 'unwritable' || code === 'unreadable'

const note = (moved: Result<Moved | undefined>, { archived, setAside, problems }: Swapped): Result<void> => {
  if (!moved.ok && !staysInPlace(moved.error)) return moved
  if (!moved.ok) problems.push(moved.error)
  else if (moved.value) (isBelow(moved.value.to, ARCHIVE_FOLDER) ? archived : setAside).push(moved.value)
  return ok(undefined)
}

const leave = async (work: RollbackWork, leaving: readonly Leaving[], done: Swapped): Promise<Result<boolean>> => {
  if (leaving.length === 0) return ok(true)
  const { storage, open, state } = work
  const { startedAt } = state
  // Listed anew each time: restored documents may have taken names in the archive.
  const store = new SkillStore({ storage, clock: () => startedAt })
  const listing = await store.list()
  if (!listing.ok) return listing
  // What is moved before the restored documents are there must not take their places in the archive.
  const reopen = () => store.archiver({ reserved: archiveNamesIn(open) })
  const archive = await reopen()
  if (!archive.ok) return archive
  const listed = new Map(listing.value.skills.map((skill) => [skill.path, skill]))
  const hasTwin = await findTwins(storage, store, state.leavingEntries)
  const options = {
    store,
    archive: archive.value,
    reopen,
    listed,
    hasTwin,
    reason: `rolled back to ${open.backup.id}`,
    startedAt,
    folder: replacedName(state),
  }
  for (const one of leaving) {
    const isOpen = await isStillOpen(storage, state)
    if (!isOpen.ok || !isOpen.value) return isOpen
    const noted = note(await leaveLibrary(storage, one, options), done)
    if (!noted.ok) return noted
  }
  return ok(true)
}

const putAll = async (
  { storage, open, state, isBackedUp }: RollbackWork,
  puts: readonly string[],
  done: Swapped,
): Promise<Result<boolean>> => {
  for (const batch of batchesOf(puts)) {
    const isOpen = await isStillOpen(storage, state)
    if (!isOpen.ok || !isOpen.value) return isOpen
    const written = await inBatches(batch, async (path) => {
      const content = open.contents.get(path)
      const put = content ? await putDocument(storage, { path, content, folder: replacedName(state), isBackedUp }) : ok(false)
      return put.ok ? ok(put.value ? [path] : []) : put
    })
    if (!written.ok) return written
    done.restored.push(...written.value.flat())
  }
  return ok(true)
}

/**
 * `false` if another process has finished the same rollback: later writes are not overwritten. What the backup does not have is removed
 * last, so that the library is never empty, unless it blocks a path.
 */
export const swapDocuments = async (work: RollbackWork, plan: RollbackPlan, done: Swapped): Promise<Result<boolean>> => {
  const cleared = await leave(work, plan.leavingFirst, done)
  if (!cleared.ok || !cleared.value) return cleared
  const written = await putAll(work, plan.puts, done)
  if (!written.ok || !written.value) return written
  return leave(work, plan.leaving, done)
}

/** Removes the archive entries whose skills are back; call it only after the skills are restored. */
export const leaveEntries = async ({ storage, open, state }: RollbackWork, done: Swapped): Promise<Result<void>> => {
  const isAbandonedManifest = isAbandonedManifestIn(open)
  const isRestored = (path: string) => open.contents.has(path) && !isAbandonedManifest(path)
  for (const entry of state.leavingEntries) {
    const noted = note(await leaveArchive(storage, entry, replacedName(state), isRestored), done)
    if (!noted.ok) return noted
  }
  return ok(undefined)
}
