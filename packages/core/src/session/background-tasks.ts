/** Work behind the turn: kept track of, handed to the host's `waitUntil`, never an unhandled rejection. */

import { callSafely } from '../shared/call-safely.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'

export interface BackgroundTasks {
  /** `work` must not reject for expected failures; what it throws all the same goes to `onCrash`. */
  run(work: () => Promise<void>): void
  /** Resolves when nothing is under way, what the work itself started included. Never rejects. */
  settled(): Promise<void>
  readonly idle: boolean
}

export const backgroundTasks = (options: {
  /** The host's `waitUntil` or `after`; given every task. */
  readonly background?: ((task: Promise<unknown>) => void) | undefined
  /** What the work itself throws. */
  readonly onCrash: (cause: unknown) => void
  /** What `background` throws or rejects with. The work goes on. */
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

/** Runs work whose result somebody waits for. Never rejects: what the work throws is an error here, and goes to `onCrash`. */
export const resultOf = <T>(tasks: BackgroundTasks, work: () => Promise<Result<T>>): Promise<Result<T>> =>
  new Promise((resolve) => {
    tasks.run(() =>
      work().then(resolve, (cause: unknown) => {
        resolve(err(new HermesError('io', `Work behind the turn stopped: ${String(cause)}`, { cause })))
        throw cause
      }),
    )
  })
