// Captured on import: with the fake timers of a host's tests, background work would never finish.
const { setTimeout: startTimer } = globalThis

/** Node, Bun and Deno have it: a timer would wait for at least a millisecond. */
const runSoon: ((task: () => void) => unknown) | undefined = (globalThis as { setImmediate?: (task: () => void) => unknown }).setImmediate

/** Lets other work run: resolves after at least `ms` milliseconds, by default after the work that is already queued. */
export const pause = (ms = 0): Promise<void> =>
  new Promise((resolve) => {
    if (ms === 0 && runSoon) runSoon(resolve)
    else startTimer(resolve, ms)
  })
