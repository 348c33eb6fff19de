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
