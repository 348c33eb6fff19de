/** Looks now and then, while nobody types, whether the upkeep of the skills is due; Hermes measures how long nobody has worked. */
import type { Hermes } from '@hermes/core'

/** Often enough for a rest that is counted in hours; a look that finds nothing due costs a read or two. */
export const LOOK_EVERY_MS = 600_000

/** `stop` asks a run that is under way to end after what it is at. What a run does or fails at comes as an event. */
export const createIdleWatch = (hermes: Pick<Hermes, 'curator'>) => {
  const stopping = new AbortController()
  const look = (): void => void hermes.curator.maybeRun({ signal: stopping.signal })
  /** Looks while `waiting` is pending. */
  const during = <T>(waiting: Promise<T>): Promise<T> => {
    // The prompt keeps the program alive, not the watch.
    const timer = setInterval(look, LOOK_EVERY_MS).unref()
    return waiting.finally(() => clearInterval(timer))
  }
  return { look, during, stop: () => stopping.abort() }
}
