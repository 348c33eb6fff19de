/** The buckets of a review: the three of seed 004 and `held`. Every proposal is in one of them. */
import type { Verdict } from '../gate/review-gate.ts'
import type { MemoryOpOutcome } from '../memory/memory-op.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { SkillOpOutcome } from '../skills/skill-op.ts'

export interface AppliedProposal {
  readonly proposal: ReviewProposal
  readonly verdict: Verdict
  /** Discriminated by `outcome.target`. */
  readonly outcome: MemoryOpOutcome | SkillOpOutcome
}

export interface RejectedProposal {
  /** The proposal, or what the proposer returned if that is not a valid proposal. */
  readonly proposal: ReviewProposal | unknown
  readonly reason: string
}

/** Waits for a person. */
export interface HeldProposal {
  readonly proposal: ReviewProposal
  readonly reason: string
  /** Id in the queue; absent if there is no queue or it could not be written. */
  readonly pendingId?: string
}

export interface FailedProposal {
  readonly proposal: ReviewProposal
  /** Why the change could not be written: refused by the store or, for a skill, found to be impossible before the gate was asked. */
  readonly error: HermesError
}

/** The result of one proposal. */
export type DisposedProposal =
  | ({ readonly kind: 'applied' } & AppliedProposal)
  | ({ readonly kind: 'held' } & HeldProposal)
  | ({ readonly kind: 'rejected' } & RejectedProposal)
  | ({ readonly kind: 'failed' } & FailedProposal)

export interface ReviewOutcome {
  readonly applied: readonly AppliedProposal[]
  readonly held: readonly HeldProposal[]
  readonly rejected: readonly RejectedProposal[]
  readonly failed: readonly FailedProposal[]
}

export const emptyOutcome = (): ReviewOutcome => ({ applied: [], held: [], rejected: [], failed: [] })

/** True if anything was written or held for a person. */
export const hasWritten = ({ applied, held }: ReviewOutcome): boolean => applied.length + held.length > 0

/** Joins the outcomes of two consecutive reviews. */
export const joinOutcomes = (first: ReviewOutcome, then: ReviewOutcome): ReviewOutcome => ({
  applied: [...first.applied, ...then.applied],
  held: [...first.held, ...then.held],
  rejected: [...first.rejected, ...then.rejected],
  failed: [...first.failed, ...then.failed],
})
