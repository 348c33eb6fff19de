/** The main entry of @hermes/core. Less common parts have their own entries: see `exports` in package.json. */

// The loop in one call
export { createHermes } from './create-hermes.ts'
// One server, many people
export { createHermesHomes, type HermesHomes } from './create-hermes-homes.ts'
// Curator
export type { HermesCurator } from './curator/curator.ts'
export type { CuratorRun } from './curator/report.ts'
// Gate: decides what is written, held or rejected
export { everyGate, evidenceGate, scoreThresholdGate, type TrustLevel } from './gate/gates.ts'
export type { GateContext, GateVerdict, ReviewGate } from './gate/review-gate.ts'
export type { Hermes } from './hermes.ts'
export type { HermesHomesOptions, HermesOptions } from './hermes-options.ts'
// Memory
export type { HermesMemory, MemoryEntry } from './home-memory.ts'
export type { HermesProfile } from './home-profile.ts'
export type { Owner } from './homes/owner.ts'
export type { JournalRecord } from './journal/journal-record.ts'
export type { PendingProposal } from './journal/pending.ts'
export type { MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory/memory-op.ts'
export { MemoryStore } from './memory/memory-store.ts'
export type { ProfileSchema } from './memory/profile-schema.ts'
// Review: the host's model proposes
export type { HostModel, HostModelAnswer, HostModelMessage, HostModelRequest, ModelUsage } from './model/host-model.ts'
export type { LearningCost } from './model/learning-cost.ts'
// Nudge: is a review due?
export { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL, decideNudges } from './nudge/nudge-intervals.ts'
export type { ReviewProposal } from './proposal/review-proposal.ts'
export type { TurnMessage } from './proposal/turn-message.ts'
export type { ReviewOutcome } from './review/review-outcome.ts'
// What happened, what it cost, what waits
export type { HermesEvent, HermesEventListener } from './session/hermes-event.ts'
export type { Learned, LearnedChange } from './session/learned.ts'
export type { ReviewDue } from './session/review-due.ts'
export type { ReviewRun } from './session/review-request.ts'
// A session: the frozen prompt block, the turns, the end
export type { CompletedTurn, EndOptions, OpenOptions, Session, SessionCheckpoint, StepEnd } from './session/session.ts'
export { type Clock, systemClock } from './shared/clock.ts'
// Results, errors, time
export { HermesError, type HermesErrorCode } from './shared/hermes-error.ts'
export type { Origin } from './shared/origin.ts'
export { err, ok, type Result } from './shared/result.ts'
export { inMemoryBackend } from './storage/in-memory.ts'
// Storage
export type { StorageBackend } from './storage/storage-backend.ts'
