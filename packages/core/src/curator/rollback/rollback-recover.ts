/** Finishes or undoes a rollback that was interrupted; to be called at every start, before the library is used (seed 003). */
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { SkillBackup } from '../backup/backup-manifest.ts'
import { openBackupById, readManifest } from '../backup/backup-open.ts'
import { readCuratorLease, releaseCuratorLease } from '../schedule/curator-lease.ts'
import { backedUpIn } from './rollback.ts'
import { cancelRollback, type RollbackReport, runRollback } from './rollback-run.ts'
import { advanceRollback, isLeaseOwner, leaseOwner, ROLLBACK_STATE_PATH, type RollbackState, readRollbackState } from './rollback-state.ts'
import type { RollbackWork } from './rollback-swap.ts'

/** What became of an interrupted rollback. */
export type RollbackRecovery =
  | { readonly recovered: 'nothing' }
  /** The library is as the target; what was done since the start is in the report. */
  | { readonly recovered: 'finished'; readonly report: RollbackReport }
  /** The target could not be used any more; the library is as it was before. No report where nothing had changed yet. */
  | { readonly recovered: 'undone'; readonly because: HermesError; readonly report?: RollbackReport }

/** Not where the system only refuses to read: that may pass, and nothing is undone for it. */
const isDamaged = ({ code, details }: HermesError): boolean =>
  (code === 'unreadable' && details['systemCode'] === undefined) || code === 'not_found'

const known = async (storage: StorageBackend, { target, safety }: RollbackState): Promise<readonly SkillBackup[]> => {
  const manifests = await Promise.all([readManifest(storage, target), readManifest(storage, safety)])
  return manifests.flatMap((manifest) => (manifest.ok ? [manifest.value] : []))
}

const neither = ({ target, safety }: RollbackState, because: HermesError, also: HermesError): HermesError =>
  new HermesError(
    'unreadable',
    `The interrupted rollback to ${target} can neither be finished (${because.message}) nor undone from ${safety} (${also.message}). No skill is lost: look at the library and its archive, then delete '${ROLLBACK_STATE_PATH}' to go on with them as they are.`,
    { cause: because, details: { path: ROLLBACK_STATE_PATH, target, safety } },
  )

const undo = async (
  storage: StorageBackend,
  clock: Clock,
  state: RollbackState,
  because: HermesError,
): Promise<Result<RollbackRecovery>> => {
  if (state.direction === 'forward' && state.phase === 'staging') {
    const cancelled = await cancelRollback(storage, state)
    return cancelled.ok ? ok({ recovered: 'undone', because }) : cancelled
  }
  const open = await openBackupById(storage, state.safety)
  if (!open.ok) return isDamaged(open.error) ? err(neither(state, because, open.error)) : open
  // Undoing has its own plan; from the first step on there is no way back to the target, even if it turned up again.
  const undoing: RollbackState =
    state.direction === 'undo'
      ? state
      : { ...state, direction: 'undo', phase: 'staging', startedAt: clock(), leavingSkills: [], leavingEntries: [] }
  const advanced = await advanceRollback(storage, undoing)
  if (!advanced.ok) return advanced
  if (!advanced.value) return ok({ recovered: 'undone', because })
  const work: RollbackWork = { storage, open: open.value, state: advanced.value, isBackedUp: backedUpIn(...(await known(storage, state))) }
  const report = await runRollback(work)
  return report.ok ? ok({ recovered: 'undone', because, report: report.value }) : report
}

const recover = async (storage: StorageBackend, clock: Clock, state: RollbackState): Promise<Result<RollbackRecovery>> => {
  if (state.direction === 'undo') {
    const because = new HermesError('unreadable', `The backup ${state.target} could not be used when the rollback to it was resumed.`)
    return undo(storage, clock, state, because)
  }
  const open = await openBackupById(storage, state.target)
  if (!open.ok) return isDamaged(open.error) ? undo(storage, clock, state, open.error) : open
  const report = await runRollback({ storage, open: open.value, state, isBackedUp: backedUpIn(...(await known(storage, state))) })
  return report.ok ? ok({ recovered: 'finished', report: report.value }) : report
}

/**
 * Forward where the archive of the target still verifies, else back to the safety snapshot. Safe in several processes at once, and after
 * being interrupted itself. `unreadable` where neither can be used: then it says what to do, and the library stays as it is.
 */
export const recoverRollback = async (storage: StorageBackend, clock: Clock): Promise<Result<RollbackRecovery>> => {
  // Before the journal, which is open whenever a rollback holds the lease: one without it died after its last change.
  const lease = await readCuratorLease(storage, clock)
  const read = await readRollbackState(storage)
  if (!read.ok) return read
  const state = read.value
  if (!state) {
    const owner = lease.ok ? lease.value?.owner : undefined
    const left = owner !== undefined && isLeaseOwner(owner) ? await releaseCuratorLease({ storage, owner }) : ok(undefined)
    return left.ok ? ok({ recovered: 'nothing' }) : left
  }
  // What it held would only keep the curator waiting: the journal keeps it out as long as it is there.
  const released = await releaseCuratorLease({ storage, owner: leaseOwner(state) })
  // One that is corrupt keeps only the curator waiting, who says so.
  return released.ok || released.error.code === 'unreadable' ? recover(storage, clock, state) : released
}
