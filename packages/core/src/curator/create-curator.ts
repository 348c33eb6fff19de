/** Composes `hermes.curator`; each verb is in its own file. Imported at its first use. */
import { grantManagement, listGrants, revokeManagement } from '../ownership/grants.ts'
import { withAnySignal } from '../shared/any-signal.ts'
import { ok, type Result } from '../shared/result.ts'
import { prunableEntries, pruneWithBackup } from './archive/prune-archive.ts'
import { archiveSkill, restoreSkill } from './archive/skill-archive.ts'
import { listBackups } from './backup/backup-list.ts'
import { toBackupBounds } from './backup/backup-settings.ts'
import { createSkillBackup } from './backup/skill-backup.ts'
import type { CuratorRunOptions } from './curator-event.ts'
import { guardedCurator } from './curator-guard.ts'
import {
  backupRecords,
  manageRecords,
  pauseRecords,
  pinRecords,
  pruneRecords,
  type RecordsOf,
  rollbackRecords,
  unmanageRecords,
} from './curator-records.ts'
import { type CuratorDeps, curatorRuns } from './curator-runs.ts'
import type { HermesCurator } from './hermes-curator.ts'
import { pinSkill } from './pin-skill.ts'
import { rollback } from './rollback/rollback.ts'
import { pauseCurator, resumeCurator } from './schedule/curator-state.ts'
import { readCuratorStatus } from './schedule/curator-status.ts'

export interface OpenedCurator {
  readonly curator: HermesCurator
  /** Runs in progress end after their current step; no new run starts. */
  stop(): void
}

export const createCurator = (deps: CuratorDeps): OpenedCurator => {
  const { storage, clock, skills, usage, journal, actor, settings } = deps
  const { run, maybeRun, settleRollback } = curatorRuns(deps)
  const bounds = toBackupBounds(settings.backup ?? {})
  const parts = { storage, clock, skills, usage, journal, actor }

  const stopping = new AbortController()
  /** Ends the run also when the host's own signal fires. */
  const stoppable = <O extends CuratorRunOptions, T>(run: (options: O) => Promise<T>, options: O): Promise<T> =>
    withAnySignal([stopping.signal, options.signal], (signal) => run({ ...options, signal }))

  const change = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const settled = await settleRollback()
    return settled.ok ? work() : settled
  }

  /** Writes the journal records of a change before the verb returns. */
  const recorded = async <T>(recordsOf: RecordsOf<T>, work: Promise<Result<T>>): Promise<Result<T>> => {
    const outcome = await work
    await deps.record(recordsOf(outcome, actor))
    return outcome
  }

  const curator: HermesCurator = {
    maybeRun: (options = {}) => stoppable(maybeRun, options),
    run: (options = {}) => stoppable(run, options),
    status: () => readCuratorStatus({ ...parts, settings, lastStepAt: deps.lastStepAt() }),
    pause: () => recorded(pauseRecords, pauseCurator(storage)),
    resume: () => recorded(pauseRecords, resumeCurator(storage)),
    pin: (target) => recorded(pinRecords, pinSkill(target, true, parts)),
    unpin: (target) => recorded(pinRecords, pinSkill(target, false, parts)),
    archive: (target, options) => change(() => archiveSkill(target, parts, options)),
    restore: (nameOrId) => change(() => restoreSkill(nameOrId, parts)),
    listArchived: () => skills.listArchived(),
    manage: (scope, terms) => recorded(manageRecords, grantManagement(storage, clock, scope, terms)),
    unmanage: (scope) => recorded(unmanageRecords(scope), revokeManagement(storage, scope)),
    grants: () => listGrants(storage, clock),
    backup: (reason = 'manual') =>
      recorded(
        backupRecords,
        change(() => createSkillBackup({ storage, clock, reason, ...bounds })),
      ),
    backups: () => listBackups(storage),
    rollback: (target, options) =>
      recorded(
        rollbackRecords,
        change(() => rollback({ storage, clock, target, ...bounds, ...options })),
      ),
    prunable: async (olderThanDays) => {
      const listed = await skills.listArchived()
      if (!listed.ok) return listed
      return ok(prunableEntries(listed.value.entries, { now: clock(), ...(olderThanDays === undefined ? {} : { olderThanDays }) }))
    },
    prune: (entries) =>
      recorded(
        pruneRecords(entries),
        change(() => pruneWithBackup({ ...parts, entries, bounds })),
      ),
  }
  return { curator: guardedCurator(curator), stop: () => stopping.abort() }
}
