/** Restores the skill library to a backup without losing what is there now (seed 003, reference skills-curator 17). */
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { type BackupListing, listBackups } from '../backup/backup-list.ts'
import type { SkillBackup } from '../backup/backup-manifest.ts'
import { dayOf } from '../backup/backup-name.ts'
import { openBackup } from '../backup/backup-open.ts'
import { resolveBackup } from '../backup/backup-resolve.ts'
import { createSkillBackup } from '../backup/skill-backup.ts'
import { type CuratorLease, readCuratorLease, releaseCuratorLease, takeCuratorLease } from '../schedule/curator-lease.ts'
import { cancelRollback, type RollbackReport, runRollback } from './rollback-run.ts'
import { checkNoRollback, leaseOwner, openRollback, type RollbackState, readRollbackState } from './rollback-state.ts'

export interface RollbackOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** A UTC day such as `2026-05-16` (its newest backup) or an id. Default: the newest backup. */
  readonly target?: string | undefined
  /** Ignores a curator run that seems to be in progress: a crashed run holds its lease for up to an hour. Default false. */
  readonly force?: boolean
  /** Limits of the safety snapshot, as for any backup. */
  readonly maxBytes?: number
  readonly maxFileBytes?: number
}

/** Whether a file is stored in one of these backups, at the same path. */
export const backedUpIn = (...backups: readonly SkillBackup[]): ((path: string, sha256: string) => boolean) => {
  const known = new Set(backups.flatMap(({ files }) => files.map(({ path, sha256 }) => `${sha256} ${path}`)))
  return (path, sha256) => known.has(`${sha256} ${path}`)
}

const underWay = ({ startedAt, expiresAt }: CuratorLease): HermesError =>
  new HermesError(
    'locked',
    `A curator run has been running since ${new Date(startedAt).toISOString()}, and only one process may change the library at a time. Wait for it; if it crashed, use 'force', or try again after ${new Date(expiresAt).toISOString()}.`,
    { details: { startedAt, expiresAt } },
  )

/** The error of the requested backup if it is a broken one. */
const brokenFor = ({ problems }: BackupListing, target: string | undefined): HermesError | undefined =>
  problems.find(({ details: { id } }) => typeof id === 'string' && (target === undefined || [id, dayOf(id)].includes(target.trim())))

const halfway = (id: string, safety: string, cause: HermesError): HermesError =>
  new HermesError(
    cause.code,
    `The rollback to ${id} stopped halfway: ${cause.message} No skill is lost; each file is either restored or unchanged. Remove the cause and run 'recoverRollback', which finishes it. The skills before the rollback are in the backup ${safety}.`,
    { cause, details: { ...cause.details, target: id, safety } },
  )

/**
 * Resolves and verifies the backup, takes a safety snapshot, extracts and verifies the files, then replaces each document in one atomic
 * step. Skills that are not in the backup go to the archive, other documents to `curator/backups/.replaced`; counters, pins, grants and
 * the scheduler's state are kept. Errors say whether anything was changed; `not_found`, `ambiguous`, `unreadable` and `locked` come
 * before any change.
 */
export const rollback = async ({ storage, clock, target, force = false, ...bounds }: RollbackOptions): Promise<Result<RollbackReport>> => {
  const free = await checkNoRollback(storage)
  if (!free.ok) return free
  const running = force ? ok(undefined) : await readCuratorLease(storage, clock)
  if (!running.ok) return running
  if (running.value) return err(underWay(running.value))
  const listing = await listBackups(storage)
  if (!listing.ok) return listing
  const backup = resolveBackup(listing.value.backups, target)
  if (!backup.ok) return err(brokenFor(listing.value, target) ?? backup.error)
  const open = await openBackup(storage, backup.value)
  if (!open.ok) return open
  const { id } = backup.value

  const safety = await createSkillBackup({ storage, clock, reason: `pre-rollback to ${id}`, ...bounds })
  if (!safety.ok) {
    const message = `Nothing was rolled back, because the current skills could not be backed up first: ${safety.error.message}`
    return err(new HermesError(safety.error.code, message, { cause: safety.error, details: safety.error.details }))
  }
  const state: RollbackState = {
    target: id,
    safety: safety.value.id,
    startedAt: clock(),
    direction: 'forward',
    phase: 'staging',
    leavingSkills: [],
    leavingEntries: [],
  }
  const opened = await openRollback(storage, state)
  if (!opened.ok) return opened
  // Taken only now, so that a crash leaves no lease without a journal: recovery uses the journal to release the lease.
  const lease = { storage, clock, owner: leaseOwner(state) }
  const taken = force ? ok(undefined) : await takeCuratorLease(lease)
  if (!taken.ok) {
    const cancelled = await cancelRollback(storage, state)
    return cancelled.ok ? taken : cancelled
  }
  const done = await runRollback({ storage, open: open.value, state, isBackedUp: backedUpIn(safety.value, backup.value) })
  const released = force ? ok(undefined) : await releaseCuratorLease(lease)
  if (done.ok) return released.ok ? done : ok({ ...done.value, problems: [...done.value.problems, released.error] })
  const now = await readRollbackState(storage)
  if (!now.ok || now.value?.phase !== 'staging') return err(halfway(id, safety.value.id, done.error))
  const cancelled = await cancelRollback(storage, state)
  return cancelled.ok ? done : err(halfway(id, safety.value.id, done.error))
}
