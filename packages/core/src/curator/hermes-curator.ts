/** `hermes.curator`: the upkeep of the skills as a host has it. */
import type { GrantTerms, listGrants } from '../ownership/grants.ts'
import type { GrantScope, OwnershipGrant } from '../ownership/ownership-grant.ts'
import type { Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive/archived-skill.ts'
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
 * Never to be offered to the agent: these are a person's verbs, and the schedule's. None of them rejects or throws: a wrong argument is `invalid`. Each change is in the
 * journal; a journal that fails is an event.
 */
export interface HermesCurator {
  /**
   * The run that comes by itself: call it at start, at the end of a session, and now and then while nobody works. It runs where it is due and the home is
   * idle, once in a home, and calls `onEvent`; otherwise it costs a few small reads. A rollback that was interrupted is brought to its end first.
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
  archive(target: string, options?: ArchiveSkillOptions): Promise<Result<ArchiveOutcome>>
  /** By name (the newest of it) or id. It ages from now on, and more slowly. */
  restore(nameOrId: string): Promise<Result<RestoreOutcome>>
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
  /** Skills that have been in the archive for at least this many days, default 90: to be shown to a person before `prune`. */
  prunable(olderThanDays?: number): Promise<Result<readonly ArchivedSkill[]>>
  /** Deletes archived skills for good, once a backup that holds them is there. The only deletion of skills there is: a person says yes to it. */
  prune(entries: readonly ArchivedSkill[]): Promise<Result<PrunedWithBackup>>
}
