/** How long a turn waits for the storage. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import { tooSlow, withinLimit } from './within-limit.ts'

export interface StoragePatience {
  /** What the storage answers in time; otherwise an event and undefined. */
  readonly inTime: <T>(operation: string, work: Promise<T>) => Promise<T | undefined>
  /** The same for a tool's work, which goes on where nobody waits for it: a write may still land. */
  readonly toolInTime: <T>(operation: string, work: Promise<T>) => Promise<T | undefined>
}

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
