/** The end of a conversation: what no review has read is reviewed, as long as the person wants to wait for it. */
import type { ReviewRun, Session } from '@hermes/core'
import { settleWithin } from './settle-within.ts'

/** For calling a review off: its turns are marked as unread again. Milliseconds. */
const CALL_OFF_LIMIT_MS = 500

export interface EndLimits {
  /** The person does not want to wait any longer. */
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly limitMs: number
}

/**
 * What came of it; undefined where the review failed, which is an event, or where it could not be called off in time. A person leaves, so one turn is enough.
 * Never rejects.
 */
export const endSession = async (session: Pick<Session, 'end'>, { signal, limitMs }: EndLimits): Promise<ReviewRun | undefined> => {
  const skipping = new AbortController()
  let run: ReviewRun | undefined
  const ended = session.end({ minTurns: 1, signal: skipping.signal }).then((result) => {
    run = result.ok ? result.value : undefined
  })
  if (await settleWithin(ended, limitMs, signal)) return run
  skipping.abort()
  await settleWithin(ended, CALL_OFF_LIMIT_MS, new AbortController().signal)
  return run
}
