/** `hermes.curator`: the upkeep of the skills as a host has it. Composition only; each verb is a part of its own. */

import { prunableEntries } from './archive/prune-archive.ts'
import { type PrunedWithBackup, pruneWithBackup } from './archive/prune-with-backup.ts'
import { archiveSkill, type BroughtBack, type PutAway, type PutAwayOptions, restoreSkill } from './archive/skill-archive.ts'
import { toBackupBounds } from './backup/back-up-run.ts'
import { type BackupListing, listBackups } from './backup/backup-list.ts'
import type { SkillBackup } from './backup/backup-manifest.ts'
import { createSkillBackup } from './backup/skill-backup.ts'
import type { CuratorRun, CuratorRunOptions, RequestedRunOptions, ScheduledRun, ScheduledRunOptions } from './curator-run.ts'
import { type PinnedSkill, pinSkill } from './pin-skill.ts'
import { rollback } from './rollback/rollback.ts'
import type { RollbackReport } from './rollback/rollback-run.ts'
import { type CuratorStateChanged, pauseCurator, resumeCurator } from './schedule/curator-state.ts'
import { type CuratorStatus, readCuratorStatus } from './schedule/curator-status.ts'
import type { HermesCuratorDeps } from './curator-deps.ts'
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
import { curatorRuns } from './curator-runs.ts'
import { type GrantTerms, grantManagement, listGrants, revokeManagement } from '../ownership/grants.ts'
import type { GrantScope, OwnershipGrant } from '../ownership/ownership-grant.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive/archived-skill.ts'
import type { SkillStore } from '../skills/skill-store.ts'

/**
 * Never to be offered to the agent: these are a person's verbs, and the schedule's. None of them rejects or throws: a wrong argument is `invalid`. Each change is in the
 * journal; a journal that fails is an event.
 */
export interface HermesCurator {
  /**
   * The run that comes by itself: call it at start, at the end of a session, and now and then while nobody works. It runs where it is due and the home is
   * idle, once in a home, and tells `onEvent`; otherwise it costs a few small reads. A rollback that was interrupted is brought to its end first.
   */
  maybeRun(options?: ScheduledRunOptions): Promise<ScheduledRun>
  /** A run now, whatever the schedule says. `disabled`, `locked`, and whatever stops `curate`; `invalid` for `consolidate: true` without a model. */
  run(options?: RequestedRunOptions): Promise<Result<CuratorRun>>
  status(): Promise<Result<CuratorStatus>>
  /** No run comes by itself any more, in whichever process, until it is resumed. */
  pause(): Promise<Result<CuratorStateChanged>>
  resume(): Promise<Result<CuratorStateChanged>>
  /** By name or folder. Nothing automatic changes a pinned skill. `rejected` for a bundled or hub skill. */
  pin(target: string): Promise<Result<PinnedSkill>>
  unpin(target: string): Promise<Result<PinnedSkill>>
  /** `rejected` for a pinned, bundled or hub skill. Nothing is deleted. */
  archive(target: string, options?: PutAwayOptions): Promise<Result<PutAway>>
  /** By name (the newest of it) or id. It ages from now on, and more slowly. */
  restore(nameOrId: string): Promise<Result<BroughtBack>>
  /** Newest first. */
  listArchived(): ReturnType<SkillStore['listArchived']>
  /** Hands skills of a person over. Bundled and hub skills cannot be. */
  manage(scope: GrantScope, terms?: GrantTerms): Promise<Result<OwnershipGrant>>
  /** Takes them back; answers what is still handed over. */
  unmanage(scope: GrantScope): Promise<Result<readonly OwnershipGrant[]>>
  grants(): ReturnType<typeof listGrants>
  /** A verified snapshot of all skills. `reason`: for whoever looks at the list; default `manual`. */
  backup(reason?: string): Promise<Result<SkillBackup>>
  /** Newest first. */
  backups(): Promise<Result<BackupListing>>
  /** `target`: a UTC day or an id; default the newest. `force`: in spite of a run that seems to be under way. What is there now is backed up first. */
  rollback(target?: string, options?: { readonly force?: boolean }): Promise<Result<RollbackReport>>
  /** What has been in the archive for so many days or more, default 90: to be shown to a person before `prune`. */
  prunable(olderThanDays?: number): Promise<Result<readonly ArchivedSkill[]>>
  /** Deletes archived skills for good, once a backup that holds them is there. The only deletion of skills there is: a person says yes to it. */
  prune(entries: readonly ArchivedSkill[]): Promise<Result<PrunedWithBackup>>
}

/** `idle` and `settled`: no run that was begun here is under way any more. `stop`: runs under way end after the step they are in, as with their own signal, and none begins. */
export const createHermesCurator = (
  deps: HermesCuratorDeps,
): { readonly curator: HermesCurator; readonly idle: boolean; settled(): Promise<void>; stop(): void } => {
  const { storage, clock, skills, usage, journal, actor, settings } = deps
  const { run, maybeRun, settleRollback } = curatorRuns(deps)
  const bounds = toBackupBounds(settings.backup ?? {})
  const parts = { storage, clock, skills, usage, journal, actor }

  const underWay = new Set<Promise<unknown>>()
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const done = work.finally(() => underWay.delete(done))
    underWay.add(done)
    return done
  }

  const stopping = new AbortController()
  /** The run also ends where the host's own signal fires. */
  const stoppable = async <O extends CuratorRunOptions, T>(run: (options: O) => Promise<T>, options: O): Promise<T> => {
    const { signal } = options
    const either = new AbortController()
    const stop = () => either.abort()
    const signals = [stopping.signal, ...(signal ? [signal] : [])]
    for (const each of signals) {
      if (each.aborted) stop()
      each.addEventListener('abort', stop, { once: true })
    }
    try {
      return await run({ ...options, signal: either.signal })
    } finally {
      for (const each of signals) each.removeEventListener('abort', stop)
    }
  }

  const change = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const settled = await settleRollback()
    return settled.ok ? work() : settled
  }

  /** What a person or the host's code changed is in the journal before the verb answers. */
  const recorded = async <T>(recordsOf: RecordsOf<T>, work: Promise<Result<T>>): Promise<Result<T>> => {
    const outcome = await work
    await deps.record(recordsOf(outcome, actor))
    return outcome
  }

  const curator: HermesCurator = {
    maybeRun: (options = {}) => tracked(stoppable(maybeRun, options)),
    run: (options = {}) => tracked(stoppable(run, options)),
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
  return {
    curator,
    get idle() {
      return underWay.size === 0
    },
    stop: () => stopping.abort(),
    settled: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
