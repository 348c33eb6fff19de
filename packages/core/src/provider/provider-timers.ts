/** The timers of a provider connection. Real ones also under the fake timers of a host's tests, where a time limit would never pass. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** Time limits of hooks, as multiples of the one that a turn may wait for: deliveries and preparations, which nothing waits for, and tools, which the agent calls. */
export const BEHIND_LIMITS = 10
/** The same for erasing, which a person waits for. */
export const FORGET_LIMITS = 40

export interface ProviderTimers {
  /** Calls `then` after `ms` milliseconds; returns what cancels it. `keepsAlive`: the process does not end before. */
  after(ms: number, keepsAlive: boolean, then: () => void): () => void
}

/** A timer of Node that keeps the process alive unless told otherwise; elsewhere it is a number. */
const release = (timer: unknown): void => {
  if (typeof timer !== 'object' || timer === null) return
  const unref: unknown = Reflect.get(timer, 'unref')
  if (typeof unref === 'function') Reflect.apply(unref, timer, [])
}

export const systemTimers: ProviderTimers = {
  after(ms, keepsAlive, then) {
    const timer = startTimer(then, ms)
    if (!keepsAlive) release(timer)
    return () => stopTimer(timer)
  },
}
