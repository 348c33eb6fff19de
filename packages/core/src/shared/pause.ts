// Captured at load: a host whose tests fake the timers would otherwise wait for the work behind a turn for ever.
const { setTimeout: startTimer } = globalThis

/** Lets other work run: resolves after at least `ms` milliseconds, by default after the work that is already queued. */
export const pause = (ms = 0): Promise<void> =>
  new Promise((resolve) => {
    startTimer(resolve, ms)
  })
