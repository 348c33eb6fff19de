/** The parts of a review, for those who compose their own. */

export { DEFAULT_REVIEW_SCORE_THRESHOLD } from '../gate/gates.ts'
export type { SeedVerdict, Verdict } from '../gate/review-gate.ts'
// Learning on request
export type { HermesLearn, LearnOptions } from '../home-learn.ts'
export { estimateTokens } from '../model/token-estimate.ts'
export type { Evidence, MemoryProposal, SkillProposal } from '../proposal/review-proposal.ts'
export { stampTranscript } from '../proposal/stamp-transcript.ts'
export type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
export { modelProposer } from '../review/propose/model-proposer.ts'
export type { ProposedItems, ReviewProposer } from '../review/propose/review-proposer.ts'
export { type ReviewAndLearnDeps, reviewAndLearn } from '../review/review-and-learn.ts'
export type { AppliedProposal, DisposedProposal, FailedProposal, HeldProposal, RejectedProposal } from '../review/review-outcome.ts'
export type { LearnEstimate } from '../session/estimate-batch.ts'
export type { LearnBatch, LearnTurn } from '../session/learn-batch.ts'
export type { LearnedSource, LearnedSources, SourceMarks } from '../session/learned-sources.ts'
export { ORIGINS } from '../shared/origin.ts'
