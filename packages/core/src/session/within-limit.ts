/** Waits for work, but not longer than the host's turn may be delayed by it. The work itself goes on. */
import { HermesError } from '../shared/hermes-error.ts'
import type { BackgroundTasks } from './background-tasks.ts'

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

// Work that is called off has a moment more, so that it can write what it has.

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

interface StoragePatience {
  /** What the storage answers in time; otherwise an event and undefined. */
  readonly inTime: <T>(operation: string, work: Promise<T>) => Promise<T | undefined>
  /** The same for a tool's work, which goes on where nobody waits for it: a write may still land. */
  readonly toolInTime: <T>(operation: string, work: Promise<T>) => Promise<T | undefined>
}

/** How long a turn waits for the storage. */
export const storagePatience = (options: {
  readonly limitMs: number
  readonly tasks: Pick<BackgroundTasks, 'run'>
  readonly failed: (operation: string, error: HermesError) => void
}): StoragePatience => {
  const { limitMs, tasks, failed } = options
  const inTime = async <T>(operation: string, work: Promise<T>): Promise<T | undefined> => {
    const answer = await withinLimit(work, limitMs)
    if (answer === undefined) failed(operation, tooSlow(limitMs))
    return answer
  }
  return {
    inTime,
    async toolInTime(operation, work) {
      const answer = await inTime(operation, work)
      if (answer === undefined) tasks.run(() => work.then(() => {}))
      return answer
    },
  }
}
