/** The public surface of @hermes/core, in the order of the loop. The file back end is at @hermes/core/file-system, test kits at @hermes/core/testing. */

// The loop in one call
export { createHermes, type Hermes } from './create-hermes.ts'
export { everyGate } from './gate/every-gate.ts'
// Gate: dispose
export { evidenceGate, type TrustLevel } from './gate/evidence-gate.ts'
export type { GateContext, GateVerdict, ReviewGate } from './gate/review-gate.ts'
export { DEFAULT_REVIEW_SCORE_THRESHOLD, scoreThresholdGate } from './gate/score-threshold-gate.ts'
export type { HermesOptions } from './hermes-options.ts'
// Journal
export { createJournal, type Journal, type JournalFilter, type JournalRecordInput } from './journal/journal.ts'
export type { JournalRecord } from './journal/journal-record.ts'
export { createPending, type Pending, type PendingProposal } from './journal/pending.ts'
// Memory
export { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT, formatUsage } from './memory/char-budget.ts'
export { ENTRY_DELIMITER } from './memory/entry-list.ts'
export type { MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory/memory-op.ts'
export { MemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export type { EntryOrigin, MemorySource } from './memory/provenance.ts'
export { scanThreats, type ThreatScope } from './memory/threat-scan.ts'
export type { HostModel, HostModelMessage, HostModelRequest } from './model/host-model.ts'
// Nudge
export { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL, decideNudges } from './nudge/decide-nudges.ts'
export type { Evidence, ReviewProposal } from './proposal/review-proposal.ts'
// Review: propose
export { stampTranscript } from './proposal/stamp-transcript.ts'
export { withSystemContext } from './proposal/system-context.ts'
export type { Transcript, TranscriptMessage } from './proposal/transcript.ts'
export type { TurnMessage } from './proposal/turn-message.ts'
// Recalled context
export { fenceContext, sanitizeContext } from './provider/context-fence.ts'
export { type ContextScrubber, createContextScrubber } from './provider/context-scrubber.ts'
export type { DisposedProposal } from './review/dispose-proposal.ts'
export { type ModelProposerOptions, modelProposer } from './review/model-proposer.ts'
// Apply
export { type ReviewAndLearnDeps, reviewAndLearn } from './review/review-and-learn.ts'
export type { AppliedProposal, FailedProposal, RejectedProposal, ReviewOutcome } from './review/review-outcome.ts'
export type { ReviewProposer } from './review/review-proposer.ts'
export type { PendingDecisions } from './session/decide-pending.ts'
// Session, as hosts and adapters see it
export type { HermesEvent, HermesEventListener } from './session/hermes-event.ts'
export type { CompletedTurn, Session, SessionCheckpoint, StepEnd } from './session/session.ts'
// Shared
export { type Clock, systemClock } from './shared/clock.ts'
export { HermesError, type HermesErrorCode, type HermesErrorOptions } from './shared/hermes-error.ts'
export { ORIGINS, type Origin } from './shared/origin.ts'
export { err, ok, type Result } from './shared/result.ts'
// Storage
export { inMemoryBackend } from './storage/backends/in-memory.ts'
export { checkChangeResult } from './storage/check-change-result.ts'
export { type DocumentChange, type DocumentInfo, type StorageBackend, type StoredDocument, UNCHANGED } from './storage/storage-backend.ts'
export { checkStoragePath } from './storage/storage-paths.ts'
export type { ToolContext, ToolDefinition } from './tools/tool-definition.ts'
