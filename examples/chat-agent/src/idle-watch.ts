/** Looks now and then, while nobody types, whether the upkeep of the skills is due; Hermes measures how long nobody has worked. */
import type { Hermes } from '@hermes/core'

/** Often enough for a rest that is counted in hours; each look that is not due costs a read or two. */
export const LOOK_EVERY_MS = 600_000

export interface IdleWatch {
  /** Runs while `waiting` is pending. */
  during<T>(waiting: Promise<T>): Promise<T>
  /** Looks once, and does not wait for what comes of it. */
  look(): void
  /** Asks a run that is under way to end after what it is at. */
  stop(): void
}

/** What a run does or fails at comes as an event. */
export const createIdleWatch = (hermes: Pick<Hermes, 'curator'>): IdleWatch => {
  const stopping = new AbortController()
  const look = (): void => void hermes.curator.maybeRun({ signal: stopping.signal })
  return {
    look,
    during: async (waiting) => {
      const timer = setInterval(look, LOOK_EVERY_MS)
      // The prompt keeps the program alive, not the watch.
      timer.unref()
      try {
        return await waiting
      } finally {
        clearInterval(timer)
      }
    },
    stop: () => stopping.abort(),
  }
}
