/** The default gate of the seeds: approves proposals with a high score (seed 004). */
import { ok } from '../shared/result.ts'
import type { ReviewGate, SeedVerdict } from './review-gate.ts'

/** From seed 004: learn only from validated wins. */
export const DEFAULT_REVIEW_SCORE_THRESHOLD = 0.7

/** Approves scores of at least `min`; answers in the form of the seeds. Throws a RangeError if `min` is not between 0 and 1. */
export const scoreThresholdGate = (min: number = DEFAULT_REVIEW_SCORE_THRESHOLD): ReviewGate<SeedVerdict> => {
  if (typeof min !== 'number' || !(min >= 0 && min <= 1))
    throw new RangeError(`scoreThresholdGate: the threshold must be a number from 0 to 1, not ${String(min)}.`)
  return async ({ score }) => {
    const approved = score >= min
    const reason = approved
      ? `Its score of ${score} is at least the threshold of ${min}.`
      : `Its score of ${score} is below the threshold of ${min}.`
    return ok({ approved, reason })
  }
}
