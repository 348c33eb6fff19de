/** The interface of `hermes.curator`. */
import type { GrantTerms, listGrants } from '../ownership/grants.ts'
import type { GrantScope, OwnershipGrant } from '../ownership/ownership-grant.ts'
import type { Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { PrunedWithBackup } from './archive/prune-archive.ts'
import type { ArchiveOutcome, ArchiveSkillOptions, RestoreOutcome } from './archive/skill-archive.ts'
import type { BackupListing } from './backup/backup-list.ts'
import type { SkillBackup } from './backup/backup-manifest.ts'
import type { CuratorRun, RequestedRunOptions, ScheduledRun, ScheduledRunOptions } from './curator-event.ts'
import type { PinnedSkill } from './pin-skill.ts'
import type { RollbackReport } from './rollback/rollback-run.ts'
import type { CuratorStateChanged } from './schedule/curator-state.ts'
import type { CuratorStatus } from './schedule/curator-status.ts'

/**
 * For people and the schedule; never offer these verbs to the agent. None of them rejects or throws: a wrong argument is `invalid`. Each
 * change is recorded in the journal; a failed record is emitted as an event.
 */
export interface HermesCurator {
  /**
   * Runs the curator if it is due and the home is idle. Call it at start, at the end of a session, and now and then while idle; if no run
   * is due it costs a few small reads. At most one run in a home at a time. Calls `onEvent`. An interrupted rollback is completed first.
   */
  maybeRun(options?: ScheduledRunOptions): Promise<ScheduledRun>
  /**
   * Runs now, regardless of the schedule. Fails with `disabled`, `locked`, the errors of `curate`, and `invalid` for `consolidate: true`
   * without a model.
   */
  run(options?: RequestedRunOptions): Promise<Result<CuratorRun>>
  status(): Promise<Result<CuratorStatus>>
  /** Stops scheduled runs in every process until `resume`. */
  pause(): Promise<Result<CuratorStateChanged>>
  resume(): Promise<Result<CuratorStateChanged>>
  /** Takes a name or a folder. Automatic changes skip pinned skills. `rejected` for a bundled or hub skill. */
  pin(target: string): Promise<Result<PinnedSkill>>
  unpin(target: string): Promise<Result<PinnedSkill>>
  /** `rejected` for a pinned, bundled or hub skill. Nothing is deleted. */
  archive(target: string, options?: ArchiveSkillOptions): Promise<Result<ArchiveOutcome>>
  /** Takes a name (its newest entry) or an id. The skill's age starts anew, and it ages more slowly. */
  restore(nameOrId: string): Promise<Result<RestoreOutcome>>
  /** Newest first. */
  listArchived(): ReturnType<SkillStore['listArchived']>
  /** Lets the curator manage skills of a person. Bundled and hub skills are excluded. */
  manage(scope: GrantScope, terms?: GrantTerms): Promise<Result<OwnershipGrant>>
  /** Revokes grants; returns those that remain. */
  unmanage(scope: GrantScope): Promise<Result<readonly OwnershipGrant[]>>
  grants(): ReturnType<typeof listGrants>
  /** Takes a verified snapshot of all skills. `reason` is shown in the list; default `manual`. */
  backup(reason?: string): Promise<Result<SkillBackup>>
  /** Newest first. */
  backups(): Promise<Result<BackupListing>>
  /**
   * `target`: a UTC day or an id; default the newest backup. `force`: ignore a run that seems to be in progress. The present state is
   * backed up first.
   */
  rollback(target?: string, options?: { readonly force?: boolean }): Promise<Result<RollbackReport>>
  /** Skills archived for at least this many days, default 90. Show them to a person before `prune`. */
  prunable(olderThanDays?: number): Promise<Result<readonly ArchivedSkill[]>>
  /**
   * Deletes archived skills permanently, after a backup that holds them. Call it only with a person's consent; no other verb deletes
   * skills.
   */
  prune(entries: readonly ArchivedSkill[]): Promise<Result<PrunedWithBackup>>
}
