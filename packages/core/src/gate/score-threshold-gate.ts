/** The default gate of the seeds: keep what the reviewer is sure of (seed 004). */
import { ok } from '../shared/result.ts'
import type { ReviewGate, SeedVerdict } from './review-gate.ts'

/** Learn only from validated wins (seed 004). */
export const DEFAULT_REVIEW_SCORE_THRESHOLD = 0.7

/** Approves from `min` on, `min` included; answers every proposal, in the shape of the seeds. Throws a RangeError for a threshold that is not within 0 and 1. */
export const scoreThresholdGate = (min: number = DEFAULT_REVIEW_SCORE_THRESHOLD): ReviewGate<SeedVerdict> => {
  if (!(min >= 0 && min <= 1)) throw new RangeError(`scoreThresholdGate: the threshold must be a number from 0 to 1, not ${String(min)}.`)
  return async ({ score }) => {
    const approved = score >= min
    const reason = approved
      ? `The reviewer is sure enough: score ${score}, threshold ${min}.`
      : `The reviewer is not sure enough: score ${score}, threshold ${min}.`
    return ok({ approved, reason })
  }
}
