// Captured on import: with the fake timers of a host's tests, background work would never finish.
const { setTimeout: startTimer } = globalThis

/** Lets other work run: resolves after at least `ms` milliseconds, by default after the work that is already queued. */
export const pause = (ms = 0): Promise<void> =>
  new Promise((resolve) => {
    startTimer(resolve, ms)
  })
