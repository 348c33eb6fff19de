/** The three buckets of a review: nothing is silently dropped (seed 004). */
import type { Verdict } from '../gate/review-gate.ts'
import type { MemoryOpOutcome } from '../memory/memory-op.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { SkillOpOutcome } from '../skills/skill-op.ts'

export interface AppliedProposal {
  readonly proposal: ReviewProposal
  readonly verdict: Verdict
  /** Told apart by `outcome.target`. */
  readonly outcome: MemoryOpOutcome | SkillOpOutcome
}

export interface RejectedProposal {
  /** The proposal, or what the proposer returned in its place where that is not one. */
  readonly proposal: ReviewProposal | unknown
  readonly reason: string
  /** True: kept and shown, waiting for a person. */
  readonly held: boolean
  /** Where it waits; absent where no queue was given, or where it could not be written. */
  readonly pendingId?: string
}

export interface FailedProposal {
  readonly proposal: ReviewProposal
  /** Why it could not be written: refused by the store, or, for a skill, found to be impossible before anybody was asked. */
  readonly error: HermesError
}

export interface ReviewOutcome {
  readonly applied: readonly AppliedProposal[]
  readonly rejected: readonly RejectedProposal[]
  readonly failed: readonly FailedProposal[]
}

export const emptyOutcome = (): ReviewOutcome => ({ applied: [], rejected: [], failed: [] })

/** Was anything written, or kept for a person? */
export const hasWritten = ({ applied, rejected }: ReviewOutcome): boolean => applied.length > 0 || rejected.some(({ held }) => held)

/** Of two reviews, one after the other. */
export const joinOutcomes = (first: ReviewOutcome, then: ReviewOutcome): ReviewOutcome => ({
  applied: [...first.applied, ...then.applied],
  rejected: [...first.rejected, ...then.rejected],
  failed: [...first.failed, ...then.failed],
})
