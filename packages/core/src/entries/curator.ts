/** The upkeep of skills by hand, and what its reports hold. `hermes.curator` is the usual way. */
export { nextState } from '../curator/age.ts'
export type { SkillBackup } from '../curator/backup-manifest.ts'
export { type BackupListing, listBackups, resolveBackup } from '../curator/backups.ts'
export type { ArchiveOutcome, PinnedSkill, RestoreOutcome } from '../curator/by-hand.ts'
export {
  AGEING_PRESETS,
  type CuratorSettings,
  DEFAULT_CURATOR_INTERVAL_HOURS,
  DEFAULT_CURATOR_MIN_IDLE_HOURS,
  DEFAULT_RETAIN_WEEKS,
} from '../curator/curator-options.ts'
export { DEFAULT_PRUNE_AFTER_DAYS, type PrunedArchive, prunableEntries } from '../curator/prune.ts'
export {
  type ConsolidationReport,
  type CuratorReport,
  countTransitions,
  type ScheduledRun,
  type SkillTransition,
  type SkippedSkill,
  type SkipReason,
  type TransitionCounts,
} from '../curator/report.ts'
export type { RollbackReport } from '../curator/rollback.ts'
export { previewRun } from '../curator/run-transitions.ts'
export { type CuratorDue, isCuratorDue } from '../curator/schedule.ts'
export type { CuratorStateChanged } from '../curator/state.ts'
export { type CuratorStatus, readCuratorStatus } from '../curator/status.ts'
export { listGrants } from '../ownership/grants.ts'
export { GRANTED_STEPS, type GrantedStep, type GrantScope, type OwnershipGrant } from '../ownership/skill-ownership.ts'
export { type RunCuratorOptions, runCurator } from '../run-curator.ts'
