/** The public surface of @hermes/core, in the order of the folders. The file back end is at @hermes/core/file-system, test kits at @hermes/core/testing. */

// Settings of a home
export type { ConfigNote } from './config/config-note.ts'
export type { CuratorConfig, HermesConfig } from './config/hermes-config.ts'
export { type ConfigReading, type ConfigSetting, parseHermesConfig } from './config/parse-hermes-config.ts'
export { readHermesConfig } from './config/read-hermes-config.ts'
export { type ConfiguredOptions, toHermesOptions } from './config/to-hermes-options.ts'
// The loop in one call
export { createHermes } from './create-hermes.ts'
// The homes of many people
export { createHermesHomes, type HermesHomes } from './create-hermes-homes.ts'
// Curator
export { DEFAULT_PRUNE_AFTER_DAYS, type PrunedArchive, prunableEntries, pruneArchive } from './curator/archive/prune-archive.ts'
export type { PrunedWithBackup } from './curator/archive/prune-with-backup.ts'
export { archiveSkill, type BroughtBack, type PutAway, restoreSkill, type SkillArchiveDeps } from './curator/archive/skill-archive.ts'
export type { BackupSettings } from './curator/backup/back-up-run.ts'
export { type BackupListing, listBackups } from './curator/backup/backup-list.ts'
export type { BackupFile, SkillBackup } from './curator/backup/backup-manifest.ts'
export { DEFAULT_RETAIN_WEEKS, type PrunedBackups, pruneBackups } from './curator/backup/backup-prune.ts'
export { resolveBackup } from './curator/backup/backup-resolve.ts'
export { createSkillBackup, type SkillBackupOptions } from './curator/backup/skill-backup.ts'
export { consolidateSkills } from './curator/consolidation/consolidate-skills.ts'
export {
  type ConsolidateOptions,
  type ConsolidationBudget,
  type ConsolidationProposer,
  proposeConsolidations,
} from './curator/consolidation/consolidation-options.ts'
export type { ConsolidationReport } from './curator/consolidation/consolidation-report.ts'
export { curate } from './curator/curate.ts'
export type { ConsolidationNote, ConsolidationStep, CurateOptions, CurateOutcome, CurateResult } from './curator/curate-options.ts'
export type { CuratorRun, CuratorRunOptions, RequestedRunOptions, ScheduledRun, ScheduledRunOptions } from './curator/curator-run.ts'
export type { CuratorSettings } from './curator/curator-settings.ts'
export type { PinnedSkill } from './curator/pin-skill.ts'
export {
  type CuratorReport,
  countTransitions,
  type SkillTransition,
  type SkippedSkill,
  type SkipReason,
} from './curator/report/curator-report.ts'
export { type RollbackOptions, rollback } from './curator/rollback/rollback.ts'
export { type RollbackRecovery, recoverRollback } from './curator/rollback/rollback-recover.ts'
export type { RollbackReport } from './curator/rollback/rollback-run.ts'
export { type RollbackState, readRollbackState } from './curator/rollback/rollback-state.ts'
export { type CuratorLease, readCuratorLease, releaseCuratorLease } from './curator/schedule/curator-lease.ts'
export { pauseCurator, readCuratorState, resumeCurator } from './curator/schedule/curator-state.ts'
export type { CuratorState } from './curator/schedule/curator-state-document.ts'
export { type CuratorStatus, readCuratorStatus } from './curator/schedule/curator-status.ts'
export {
  type CuratorSchedule,
  DEFAULT_CURATOR_INTERVAL_HOURS,
  DEFAULT_CURATOR_MIN_IDLE_HOURS,
  isCuratorDue,
} from './curator/schedule/is-curator-due.ts'
export { type MaybeRunCuratorOptions, type MaybeRunOutcome, maybeRunCurator } from './curator/schedule/maybe-run-curator.ts'
export { AGEING_PRESETS, type AgeingOptions } from './curator/transitions/ageing-options.ts'
export type { CuratorProgress } from './curator/transitions/applying.ts'
export { nextState } from './curator/transitions/next-skill-state.ts'
export { type RunCuratorOptions, runCurator } from './curator/transitions/run-curator.ts'
// Erasure
export type { ForgetTarget } from './erasure/erase-target.ts'
export type { ForgetOptions } from './erasure/forget.ts'
export type { ErasedCounts, ForgetReceipt, RemainingText } from './erasure/forget-receipt.ts'
// Gate: dispose
export { everyGate } from './gate/every-gate.ts'
export { evidenceGate, type TrustLevel } from './gate/evidence-gate.ts'
export type { GateContext, GateVerdict, ReviewGate } from './gate/review-gate.ts'
export { DEFAULT_REVIEW_SCORE_THRESHOLD, scoreThresholdGate } from './gate/score-threshold-gate.ts'
export type { Hermes, ReviewOptions } from './hermes.ts'
export type { HermesCurator } from './hermes-curator.ts'
export type { HermesCuratorOptions } from './hermes-curator-options.ts'
export type { HermesHomesOptions, HermesOptions } from './hermes-options.ts'
export type { ErasureReceipt } from './homes/erase-owner.ts'
export type { Owner, OwnerId } from './homes/owner.ts'
// Journal
export type { HostActor } from './journal/host-writes.ts'
export { createJournal, type Journal, type JournalRecordInput } from './journal/journal.ts'
export type { JournalFilter } from './journal/journal-filter.ts'
export type { JournalRecord, JournalUpkeep } from './journal/journal-record.ts'
export { createPending, type Pending, type PendingProposal } from './journal/pending.ts'
export { type LedgerGrouping, type LedgerRow, type LedgerSum, sumLedger } from './journal/sum-ledger.ts'
export { type TidiedJournal, type TidyJournalOptions, tidyJournal } from './journal/tidy-journal.ts'
export type { ArchivedEntry } from './memory/archive/archived-entry.ts'
// Memory
export { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT, formatUsage } from './memory/char-budget.ts'
export type { EntryChanges, RemovedEntry } from './memory/entry-changes.ts'
export type { EntryDates, EntryFacts, EntryOrigin, EvictedEntry, OpFacts } from './memory/entry-facts.ts'
export { ENTRY_DELIMITER } from './memory/entry-list.ts'
export type { MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory/memory-op.ts'
export { MemoryStore } from './memory/memory-store.ts'
export type { MemoryStoreOptions } from './memory/memory-store-options.ts'
export type { MemoryWrite, MemoryWriter } from './memory/memory-write.ts'
export type { PinnedEntry } from './memory/pin-entry.ts'
export type { MemorySource } from './memory/provenance.ts'
export type { HostModel, HostModelAnswer, HostModelMessage, HostModelRequest, ModelUsage } from './model/host-model.ts'
export type { LearningCost } from './model/learning-cost.ts'
export { estimateTokens } from './model/token-estimate.ts'
// Nudge
export { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL, decideNudges } from './nudge/decide-nudges.ts'
export { type GrantTerms, grantManagement, listGrants, revokeManagement } from './ownership/grants.ts'
// Whose a skill is
export { GRANTED_STEPS, type GrantedStep, type GrantScope, type OwnershipGrant } from './ownership/ownership-grant.ts'
export { NO_OWNERSHIP_MARKS, type OwnershipMarks, readOwnershipMarks } from './ownership/ownership-marks.ts'
export {
  describeProtection,
  judgeOwnership,
  type SkillOwner,
  type SkillOwnership,
  type SkillProtection,
} from './ownership/skill-ownership.ts'
// A home as one file
export type { ExportCounts, ExportManifest } from './portability/export-manifest.ts'
export type { ExportPart } from './portability/export-scope.ts'
export type { ImportCount, ImportOptions, ImportReport, RefusedImport } from './portability/import-report.ts'
export { readExportManifest } from './portability/open-export.ts'
export type { Evidence, MemoryProposal, ReviewProposal, SkillProposal } from './proposal/review-proposal.ts'
// Review: propose
export { stampTranscript } from './proposal/stamp-transcript.ts'
export { withSystemContext } from './proposal/system-context.ts'
export type { Transcript, TranscriptMessage } from './proposal/transcript.ts'
export type { TurnMessage } from './proposal/turn-message.ts'
// Recalled context
export { fenceContext, sanitizeContext } from './provider/context-fence.ts'
export { type ContextScrubber, createContextScrubber } from './provider/context-scrubber.ts'
export type { DisposedProposal } from './review/apply/dispose-proposal.ts'
export type { SkillDisposal } from './review/apply/skill-disposal.ts'
export { type ModelProposerOptions, modelProposer } from './review/propose/model-proposer.ts'
export type { ReviewProposer } from './review/propose/review-proposer.ts'
// Apply
export { type ReviewAndLearnDeps, reviewAndLearn } from './review/review-and-learn.ts'
export type { ReviewKind } from './review/review-kind.ts'
export type { AppliedProposal, FailedProposal, RejectedProposal, ReviewOutcome } from './review/review-outcome.ts'
export type { UpkeepOptions, UpkeepReport } from './run-upkeep.ts'
export type { PendingDecisions } from './session/decide-pending.ts'
// Session, as hosts and adapters see it
export type { CuratorRunReason, HermesEvent, HermesEventListener, WiringFailure, WiringMistake } from './session/hermes-event.ts'
export type { ModelToolCall } from './session/model-tool-call.ts'
export type { ReviewRun } from './session/run-review.ts'
export type { CompletedTurn, EndOptions, Session, SessionCheckpoint, StepEnd, StepStart } from './session/session.ts'
export type { ToolCallReference } from './session/session-of-call.ts'
export type { OfferedTool, SharedTools } from './session/shared-tools.ts'
// Shared
export { type Clock, systemClock } from './shared/clock.ts'
export { HermesError, type HermesErrorCode, type HermesErrorOptions } from './shared/hermes-error.ts'
export { ORIGINS, type Origin } from './shared/origin.ts'
export { err, ok, type Result } from './shared/result.ts'
// Skills
export type { ArchivedSkill, ArchiveOptions, RestoredSkill } from './skills/archive/archived-skill.ts'
export type { CatalogEntry } from './skills/catalog-entry.ts'
export { renderSkillCatalog, type SkillCatalogOptions } from './skills/skill-catalog.ts'
export type { SkillChange } from './skills/skill-change.ts'
export type { NewSkill } from './skills/skill-create.ts'
export type { SkillDocument } from './skills/skill-document.ts'
export type { SkillListEntry, SkillListing } from './skills/skill-listing.ts'
export type { SkillAction, SkillOp, SkillOpOutcome } from './skills/skill-op.ts'
export type { ReadInTime, SkillReader } from './skills/skill-reader.ts'
export { type SkillFilePatch, SkillStore, type SkillStoreOptions } from './skills/skill-store.ts'
export type { SkillFileView, SkillView } from './skills/skill-view.ts'
export type { SkillWrite } from './skills/skill-write.ts'
// Storage
export { inMemoryBackend } from './storage/backends/in-memory.ts'
export { checkChangeResult } from './storage/check-change-result.ts'
export {
  type DocumentChange,
  type DocumentContent,
  type DocumentInfo,
  type StorageBackend,
  type StoredDocument,
  UNCHANGED,
  type UnreadableEntry,
} from './storage/storage-backend.ts'
export { checkStoragePath } from './storage/storage-paths.ts'
export { scanThreats, type ThreatScope } from './threats/threat-scan.ts'
export type { MemoryToolInput } from './tools/memory-tool-input.ts'
export type { SkillListToolInput } from './tools/skill-list-tool.ts'
export type { SkillManageInput } from './tools/skill-manage-input.ts'
export type { SkillViewToolInput } from './tools/skill-view-tool.ts'
export type { ToolContext, ToolDefinition } from './tools/tool-definition.ts'
export type {
  MemoryToolResult,
  SkillListToolResult,
  SkillManageToolResult,
  SkillViewToolResult,
  ToolRefusal,
} from './tools/tool-results.ts'
// Use of skills
export type { UsageEvent } from './usage/usage-event.ts'
export type { SkillState, UsageRecord } from './usage/usage-record.ts'
export { type UsageRecords, UsageStore, type UsageStoreOptions } from './usage/usage-store.ts'
