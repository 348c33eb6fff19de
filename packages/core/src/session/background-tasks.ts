/** Work that runs behind the turn: tracked, passed to the host's `waitUntil`, and never an unhandled rejection; and the record of when the agent was last used. */
import { ACTIVITY_GRAIN_MS } from '../curator/curator-options.ts'
import { callSafely } from '../shared/call-safely.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

interface TaskListeners {
  /** The host's `waitUntil` or `after`; called with every task. */
  readonly background?: ((task: Promise<unknown>) => void) | undefined
  /** Called with what a task throws. */
  readonly onCrash: (cause: unknown) => void
  /** Called with what `background` throws or rejects with. The task continues. */
  readonly onBackgroundFailure: (cause: unknown) => void
}

export class BackgroundTasks {
  readonly #listeners: TaskListeners
  readonly #running = new Set<Promise<void>>()

  constructor(listeners: TaskListeners) {
    this.#listeners = listeners
  }

  get idle(): boolean {
    return this.#running.size === 0
  }

  /** `work` must not reject for expected failures; anything that it throws goes to `onCrash`. */
  run(work: () => Promise<void>): void {
    const { background, onCrash, onBackgroundFailure } = this.#listeners
    const task: Promise<void> = Promise.resolve()
      .then(work)
      .catch(onCrash)
      .finally(() => this.#running.delete(task))
    this.#running.add(task)
    if (background) callSafely(background, task, onBackgroundFailure)
  }

  /** Runs work whose result a caller awaits. Never rejects: what the work throws goes to `onCrash` and becomes an error result. */
  resultOf<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return new Promise((resolve) => {
      this.run(() =>
        work().then(resolve, (cause: unknown) => {
          resolve(err(new HermesError('io', `Background work failed: ${String(cause)}`, { cause })))
          throw cause
        }),
      )
    })
  }

  /** Resolves when no task is running, including tasks that other tasks started. Never rejects. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}

/** The error of work that threw. */
export const backgroundError = (cause: unknown): HermesError =>
  HermesError.isInstance(cause) ? cause : new HermesError('io', `Background work failed: ${String(cause)}`, { cause })

export interface Activity {
  /** Notes activity. Returns the write to run behind the turn, at most once in ten minutes; usually undefined. */
  note(): (() => Promise<Result<void>>) | undefined
  /** Epoch milliseconds; undefined before the first activity in this process. */
  readonly lastStepAt: number | undefined
}

export const createActivity = ({ storage, clock }: { readonly storage: StorageBackend; readonly clock: Clock }): Activity => {
  let lastStepAt: number | undefined
  let recordedAt: number | undefined
  return {
    note() {
      const at = clock()
      lastStepAt = at
      // A clock that was set back counts as a new time.
      if (recordedAt !== undefined && recordedAt <= at && at - recordedAt < ACTIVITY_GRAIN_MS) return undefined
      recordedAt = at
      return () =>
        withLazy(
          'The code that records activity',
          () => import('../curator/active-days.ts'),
          ({ recordActivity }) => recordActivity(storage, clock),
        )
    },
    get lastStepAt() {
      return lastStepAt
    },
  }
}
