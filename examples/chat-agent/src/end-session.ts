/** What no review has read is reviewed, at the end of a conversation or on request, as long as the person wants to wait for it. */
import type { Hermes, HostModel, Result, ReviewRun, Session } from '@hermes/core'
import { settleWithin } from '@hermes/example-chat-parts/settle-within'

/** For calling a review off: its turns are marked as unread again. Milliseconds. */
const CALL_OFF_LIMIT_MS = 500

export interface Patience {
  /** The person does not want to wait any longer. */
  readonly signal: AbortSignal
  readonly limitMs: number
}

/** Undefined if the review failed, which is an event, or could not be called off in time. Never rejects. */
const within = async (
  review: (signal: AbortSignal) => Promise<Result<ReviewRun>>,
  { signal, limitMs }: Patience,
): Promise<ReviewRun | undefined> => {
  const skipping = new AbortController()
  let run: ReviewRun | undefined
  const ended = review(skipping.signal).then((result) => {
    run = result.ok ? result.value : undefined
  })
  if (await settleWithin(ended, limitMs, signal)) return run
  skipping.abort()
  await settleWithin(ended, CALL_OFF_LIMIT_MS)
  return run
}

/** A person leaves, so one turn is enough. */
export const endSession = (session: Pick<Session, 'end'>, patience: Patience): Promise<ReviewRun | undefined> =>
  within((signal) => session.end({ minTurns: 1, signal }), patience)

/** A person asks, so one turn is enough. First the last turn is saved. */
export const reviewNow = (
  hermes: Pick<Hermes, 'settled' | 'review'>,
  model: HostModel,
  patience: Patience,
): Promise<ReviewRun | undefined> =>
  within((signal) => hermes.settled().then(() => hermes.review({ minTurns: 1, model, signal })), patience)
