/** Waits for work up to a time limit, so that it does not delay the host's turn. The work itself continues. */
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'

/** The error that is reported when the time is up. */
export const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The storage did not answer within ${limitMs} ms, and the turn no longer waits for it.`)

/** `undefined` if the time is up. Rejects if the work rejects. */
export const withinLimit = async <T>(work: Promise<T>, limitMs: number): Promise<T | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<undefined>((resolve) => {
    // After a busy moment, timers run before the answers that have arrived meanwhile.
    timer = setTimeout(() => pause().then(() => resolve(undefined)), limitMs)
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/** False if the time is up. Rejects if the work rejects. */
export const endsWithin = async (work: Promise<unknown>, limitMs: number): Promise<boolean> =>
  (await withinLimit(
    work.then(() => true),
    limitMs,
  )) === true

/** Milliseconds that cancelled work may continue, so that it can write what it has. */
const GRACE_MS = 500

/** Resolves to `stopped` if the work did not end in time. The work itself continues. Rejects if the work rejects. */
export const untilStopped = async <T>(work: Promise<T>, stopping: AbortSignal, stopped: T): Promise<T> => {
  let stop: () => void = () => {}
  const calledOff = new Promise<'called off'>((resolve) => {
    stop = () => resolve('called off')
  })
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true })
  try {
    const ended = await Promise.race([work.then((value) => ({ value })), calledOff])
    if (ended !== 'called off') return ended.value
    return (await withinLimit(work, GRACE_MS)) ?? stopped
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}
