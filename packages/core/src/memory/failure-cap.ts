/** Limits failed attempts in a turn, so that a model does not retry for ever (reference hermes-memory 3). */
import { HermesError } from '../shared/hermes-error.ts'

/** Failed attempts in a turn before the next one fails with `capped`. */
export const DEFAULT_MAX_CONSOLIDATION_FAILURES = 3

export interface FailureCap {
  /** Counts a failed attempt; returns the error itself, or above the limit `capped` with the error as its cause. */
  readonly count: (error: HermesError) => HermesError
  readonly reset: () => void
}

export const createFailureCap = (maxFailures: number): FailureCap => {
  let failures = 0
  const count = (error: HermesError): HermesError => {
    failures++
    if (failures <= maxFailures) return error
    const message =
      `Stop retrying: ${failures} memory changes of this turn failed. Go on with the task and leave memory as it is until the next turn. ` +
      `The last cause (${error.code}): ${error.message}`
    return new HermesError('capped', message, { cause: error, details: { ...error.details, causeCode: error.code, failures } })
  }
  const reset = (): void => {
    failures = 0
  }
  return { count, reset }
}
