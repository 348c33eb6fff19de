/** Waits for something as long as a person wants to. */

/** True if it was done in time, false if `limitMs` passed or `signal` fired first. Leaves no timer behind. */
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

export interface Patience {
  /** The person does not want to wait any longer. */
  readonly signal: AbortSignal
  readonly limitMs: number
}

/** For calling work off. Milliseconds. */
const CALL_OFF_LIMIT_MS = 500

/** What came of `work`, whose own signal fires when the patience is over; undefined if it could not be called off soon. `work` must not reject. */
export const workWithin = async <T>(work: (signal: AbortSignal) => Promise<T>, { signal, limitMs }: Patience): Promise<T | undefined> => {
  const skipping = new AbortController()
  let result: T | undefined
  const ended = work(skipping.signal).then((value) => {
    result = value
  })
  if (await settleWithin(ended, limitMs, signal)) return result
  skipping.abort()
  await settleWithin(ended, CALL_OFF_LIMIT_MS)
  return result
}
