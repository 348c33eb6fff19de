/** What no review has read is reviewed, at the end of a conversation or on request, as long as the person wants to wait for it. */
import type { Hermes, HostModel, Result, ReviewRun, Session } from '@hermes/core'
import { type Patience, workWithin } from '@hermes/example-chat-parts/settle-within'

/** Undefined if the review failed, which is an event, or could not be called off in time. Never rejects. */
const within = async (review: (signal: AbortSignal) => Promise<Result<ReviewRun>>, patience: Patience): Promise<ReviewRun | undefined> => {
  const run = await workWithin(review, patience)
  return run?.ok ? run.value : undefined
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
