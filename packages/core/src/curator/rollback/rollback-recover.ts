/** Finishes or undoes an interrupted rollback. Call it at every start, before the library is used (seed 003). */
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

/** The outcome for an interrupted rollback. */
export type RollbackRecovery =
  | { readonly recovered: 'nothing' }
  /** The library matches the target; the report covers what was done since this start. */
  | { readonly recovered: 'finished'; readonly report: RollbackReport }
  /** The target was unusable; the library is as it was before the rollback. No report if nothing had been changed. */
  | { readonly recovered: 'undone'; readonly because: HermesError; readonly report?: RollbackReport }

/** A refused read does not count: it may be temporary and is no reason to undo. */
const isDamaged = ({ code, details }: HermesError): boolean =>
  (code === 'unreadable' && details['systemCode'] === undefined) || code === 'not_found'

const known = async (storage: StorageBackend, { target, safety }: RollbackState): Promise<readonly SkillBackup[]> => {
  const manifests = await Promise.all([readManifest(storage, target), readManifest(storage, safety)])
  return manifests.flatMap((manifest) => (manifest.ok ? [manifest.value] : []))
}

const neither = ({ target, safety }: RollbackState, because: HermesError, also: HermesError): HermesError =>
  new HermesError(
    'unreadable',
    `The interrupted rollback to ${target} can neither be finished (${because.message}) nor undone from ${safety} (${also.message}). No skill is lost: check the library and its archive, then delete '${ROLLBACK_STATE_PATH}' to keep them as they are.`,
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
  // Undoing has its own plan; after its first step the rollback cannot return to the target, even if that reappears.
  const startedAt = Math.max(clock(), state.startedAt + 1000)
  const undoing: RollbackState =
    state.direction === 'undo' ? state : { ...state, direction: 'undo', phase: 'staging', startedAt, leavingSkills: [], leavingEntries: [] }
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
 * Finishes if the archive of the target still verifies; otherwise goes back to the safety snapshot. Safe to run in several processes at
 * once and after an interruption of its own. `unreadable` if neither is usable: the message says what to do, and the library is not
 * changed.
 */
export const recoverRollback = async (storage: StorageBackend, clock: Clock): Promise<Result<RollbackRecovery>> => {
  // Read before the journal, which is open whenever a rollback holds the lease: a lease without a journal is left by a rollback that died
  // after its last change.
  const lease = await readCuratorLease(storage, clock)
  const read = await readRollbackState(storage)
  if (!read.ok) return read
  const state = read.value
  if (!state) {
    const owner = lease.ok ? lease.value?.owner : undefined
    const left = owner !== undefined && isLeaseOwner(owner) ? await releaseCuratorLease({ storage, owner }) : ok(undefined)
    return left.ok ? ok({ recovered: 'nothing' }) : left
  }
  // The lease would only delay the curator: the journal blocks it as long as it exists.
  const released = await releaseCuratorLease({ storage, owner: leaseOwner(state) })
  // A corrupt lease blocks only the curator, which reports it.
  return released.ok || released.error.code === 'unreadable' ? recover(storage, clock, state) : released
}
