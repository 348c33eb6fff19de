/** Waits for work until it is called off, and then for a moment more: what only writes what it has is not cut off. */
import { withinLimit } from './within-limit.ts'

/** Milliseconds that work may go on after it was called off. */
const GRACE_MS = 500

/** `stopped` where the work did not end in time. The work itself goes on. Rejects as the work does. */
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
