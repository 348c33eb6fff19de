/** A review and one of its passes, as those see them that carry them out. */

import type { EvaluateSkill } from '../evaluation/skill-evaluator.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { DueReview, ReviewSettings } from './review-request.ts'
import type { ReviewStores } from './session-home.ts'

/** A review that is under way, as its passes use it. */
export interface ReviewUnderWay extends ReviewStores {
  readonly sessionId: string
  /** For the journal. */
  readonly reviewId: string
  readonly due: DueReview
  readonly settings: ReviewSettings
  readonly gate: ReviewGate
  /** Undefined if the host has no evaluator of skills. */
  readonly evaluate?: EvaluateSkill | undefined
  readonly clock: Clock
  /** Aborted if the review is cancelled. */
  readonly stopping: AbortSignal
  /** Called once for each pass that called a model. */
  readonly onCost: (cost: LearningCost) => void
  readonly onFailure: (error: HermesError, operation: string) => void
  /** Decides and writes in one update, over stores of its own. `isLast`: it ends the review too. `done`: what the earlier pass has learned. */
  readonly write: (
    dispose: (stores: ReviewStores) => Promise<Result<ReviewOutcome>>,
    pass: { readonly isLast: boolean; readonly done: ReviewOutcome },
  ) => Promise<Result<ReviewOutcome>>
}

/** What a pass has left of the review's deadline and tokens, and what an earlier one did. */
export interface PassLimits {
  readonly isLast: boolean
  readonly maxInputTokens: number
  readonly timeoutMs: number
  /** By the pass over the own words of the same project, for the reviewer. */
  readonly done?: ReviewOutcome | undefined
  /** By all earlier passes. Default: `done`. */
  readonly before?: ReviewOutcome
}
