/** The upkeep of skills by hand, and what its reports hold. `hermes.curator` is the usual way. */
export { DEFAULT_PRUNE_AFTER_DAYS, type PrunedWithBackup, prunableEntries } from '../curator/archive/prune-archive.ts'
export type { ArchiveOutcome, RestoreOutcome } from '../curator/archive/skill-archive.ts'
export { type BackupListing, listBackups } from '../curator/backup/backup-list.ts'
export type { SkillBackup } from '../curator/backup/backup-manifest.ts'
export { resolveBackup } from '../curator/backup/backup-resolve.ts'
export { DEFAULT_RETAIN_WEEKS } from '../curator/backup/backup-settings.ts'
export type { ScheduledRun } from '../curator/curator-event.ts'
export type { CuratorSettings } from '../curator/curator-options.ts'
export type { PinnedSkill } from '../curator/pin-skill.ts'
export type { ConsolidationReport } from '../curator/report/consolidation-report.ts'
export {
  type CuratorReport,
  countTransitions,
  type SkillTransition,
  type SkippedSkill,
  type SkipReason,
  type TransitionCounts,
} from '../curator/report/curator-report.ts'
export { rollback } from '../curator/rollback/rollback.ts'
export { type RollbackRecovery, recoverRollback } from '../curator/rollback/rollback-recover.ts'
export type { RollbackReport } from '../curator/rollback/rollback-run.ts'
export type { JournalledTransition, RunJournal } from '../curator/run-journal/run-journal.ts'
export { type CuratorLease, readCuratorLease, releaseCuratorLease } from '../curator/schedule/curator-lease.ts'
export type { CuratorStateChanged } from '../curator/schedule/curator-state.ts'
export { type CuratorStatus, readCuratorStatus } from '../curator/schedule/curator-status.ts'
export {
  type CuratorDue,
  DEFAULT_CURATOR_INTERVAL_HOURS,
  DEFAULT_CURATOR_MIN_IDLE_HOURS,
  isCuratorDue,
} from '../curator/schedule/is-curator-due.ts'
export { AGEING_PRESETS } from '../curator/transitions/ageing-options.ts'
export { nextState } from '../curator/transitions/next-skill-state.ts'
export { type RunCuratorOptions, runCurator } from '../curator/transitions/run-curator.ts'
export { listGrants } from '../ownership/grants.ts'
export { GRANTED_STEPS, type GrantedStep, type GrantScope, type OwnershipGrant } from '../ownership/ownership-grant.ts'
