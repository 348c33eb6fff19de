/** Work that runs behind the turn: tracked, passed to the host's `waitUntil`, and never an unhandled rejection. */

import { callSafely } from '../shared/call-safely.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'

export interface BackgroundTasks {
  /** `work` must not reject for expected failures; anything that it throws goes to `onCrash`. */
  run(work: () => Promise<void>): void
  /** Resolves when no task is running, including tasks that other tasks started. Never rejects. */
  settled(): Promise<void>
  readonly idle: boolean
}

export const backgroundTasks = (options: {
  /** The host's `waitUntil` or `after`; called with every task. */
  readonly background?: ((task: Promise<unknown>) => void) | undefined
  /** Called with what a task throws. */
  readonly onCrash: (cause: unknown) => void
  /** Called with what `background` throws or rejects with. The task continues. */
  readonly onBackgroundFailure: (cause: unknown) => void
}): BackgroundTasks => {
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const task: Promise<void> = Promise.resolve()
        .then(work)
        .catch(options.onCrash)
        .finally(() => running.delete(task))
      running.add(task)
      if (options.background) callSafely(options.background, task, options.onBackgroundFailure)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    get idle() {
      return running.size === 0
    },
  }
}

/** The error of work that threw. */
export const backgroundError = (cause: unknown): HermesError =>
  HermesError.isInstance(cause) ? cause : new HermesError('io', `Background work failed: ${String(cause)}`, { cause })

/** Runs work whose result a caller awaits. Never rejects: what the work throws goes to `onCrash` and becomes an error result. */
export const resultOf = <T>(tasks: BackgroundTasks, work: () => Promise<Result<T>>): Promise<Result<T>> =>
  new Promise((resolve) => {
    tasks.run(() =>
      work().then(resolve, (cause: unknown) => {
        resolve(err(new HermesError('io', `Background work failed: ${String(cause)}`, { cause })))
        throw cause
      }),
    )
  })
