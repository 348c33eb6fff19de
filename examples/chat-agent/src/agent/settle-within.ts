/** Waits for what runs behind the turn, but not for ever. */

/** True when it was done in time; false when `limitMs` passed or `signal` fired first. Leaves no timer behind. */
export const settleWithin = async (settled: Promise<unknown>, limitMs: number, signal: AbortSignal): Promise<boolean> => {
  if (signal.aborted) return false
  const waiting = new AbortController()
  const givenUp = new Promise<false>((resolve) => {
    const giveUp = (): void => resolve(false)
    signal.addEventListener('abort', giveUp, { signal: waiting.signal })
    if (!Number.isFinite(limitMs)) return
    const timer = setTimeout(giveUp, limitMs)
    waiting.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    return await Promise.race([settled.then(() => true), givenUp])
  } finally {
    waiting.abort()
  }
}
