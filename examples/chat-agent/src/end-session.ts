/** The end of a conversation: what no review has read is reviewed, as long as the person wants to wait for it. */
import type { ReviewRun, Session } from '@hermes/core'

/** For calling a review off: its turns are marked as unread again. Milliseconds. */
const CALL_OFF_LIMIT_MS = 500

/** Waits for what runs behind the turn: true if it was done in time, false if `limitMs` passed or `signal` fired first. Leaves no timer behind. */
export const settleWithin = async (settled: Promise<unknown>, limitMs: number, signal?: AbortSignal): Promise<boolean> => {
  if (signal?.aborted) return false
  const givenUp = Promise.withResolvers<false>()
  const giveUp = (): void => givenUp.resolve(false)
  signal?.addEventListener('abort', giveUp)
  const timer = Number.isFinite(limitMs) ? setTimeout(giveUp, limitMs) : undefined
  try {
    return await Promise.race([settled.then(() => true), givenUp.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/**
 * What came of it; undefined if the review failed, which is an event, or could not be called off in time. A person leaves, so one turn is enough.
 * `signal`: the person does not want to wait any longer. Never rejects.
 */
export const endSession = async (
  session: Pick<Session, 'end'>,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<ReviewRun | undefined> => {
  const skipping = new AbortController()
  let run: ReviewRun | undefined
  const ended = session.end({ minTurns: 1, signal: skipping.signal }).then((result) => {
    run = result.ok ? result.value : undefined
  })
  if (await settleWithin(ended, limitMs, signal)) return run
  skipping.abort()
  await settleWithin(ended, CALL_OFF_LIMIT_MS)
  return run
}
