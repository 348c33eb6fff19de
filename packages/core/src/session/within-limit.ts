/** Waits for work, but not longer than the host's turn may be delayed by it. The work itself goes on. */
import { HermesError } from '../shared/hermes-error.ts'

/** What a host is told where it was up. */
export const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The storage did not answer within ${limitMs} ms, and the turn does not wait for it any longer.`)

/** `undefined` when the time is up. Rejects as the work does. */
export const withinLimit = async <T>(work: Promise<T>, limitMs: number): Promise<T | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs)
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}
