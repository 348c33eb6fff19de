/** The three buckets of a review; every proposal is in one of them (seed 004). */
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
  /** True if the proposal is pending for a person. */
  readonly held: boolean
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
  | ({ readonly kind: 'rejected' } & RejectedProposal)
  | ({ readonly kind: 'failed' } & FailedProposal)

export interface ReviewOutcome {
  readonly applied: readonly AppliedProposal[]
  readonly rejected: readonly RejectedProposal[]
  readonly failed: readonly FailedProposal[]
}

export const emptyOutcome = (): ReviewOutcome => ({ applied: [], rejected: [], failed: [] })

/** True if anything was written or held for a person. */
export const hasWritten = ({ applied, rejected }: ReviewOutcome): boolean => applied.length > 0 || rejected.some(({ held }) => held)

/** Joins the outcomes of two consecutive reviews. */
export const joinOutcomes = (first: ReviewOutcome, then: ReviewOutcome): ReviewOutcome => ({
  applied: [...first.applied, ...then.applied],
  rejected: [...first.rejected, ...then.rejected],
  failed: [...first.failed, ...then.failed],
})
