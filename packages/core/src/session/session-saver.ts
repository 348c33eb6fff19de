/** Saves a session behind the turn, one save at a time, and starts the review that falls due with one. */
import type { HostModel } from '../model/host-model.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { DueReview } from './due-review.ts'
import type { ReviewFate } from './review-lease.ts'
import type { ReviewScheduler } from './review-scheduler.ts'
import type { SessionStore } from './session-store.ts'
import { untilStopped } from './until-stopped.ts'

export interface SessionSaverDeps {
  readonly ready: () => Promise<SessionStore>
  readonly tasks: BackgroundTasks
  readonly reviews: ReviewScheduler
  /** Fires when nobody waits for reviews any more: none starts, and the one under way is given back. */
  readonly stopping: AbortSignal
  readonly onFailure: (operation: string, error: HermesError) => void
  /** Told of turns that no review has read and for which there is no room. */
  readonly onDropped: (turns: number) => void
}

/** `model`: of the turn that ended, for a review. Returns at once. Saves that are asked for while one is under way share the next. */
export const sessionSaver = (deps: SessionSaverDeps): ((model?: HostModel) => void) => {
  const { ready, tasks, reviews, stopping, onFailure, onDropped } = deps
  let isQueued = false
  let newest: HostModel | undefined
  let saving: Promise<void> = Promise.resolve()

  const review = async (store: SessionStore, due: DueReview, model: HostModel | undefined) => {
    let fate: ReviewFate = 'failed'
    try {
      fate = await untilStopped(reviews.run(due, model), stopping, 'stopped')
    } finally {
      // Whatever became of it, the next review must not wait until this one counts as dead.
      const ended = await store.endReview(due, fate)
      if (!ended.ok) onFailure('save session', ended.error)
      else if (ended.value.dropped > 0) onDropped(ended.value.dropped)
    }
  }

  const saveQueued = async () => {
    const store = await ready()
    if (!isQueued) return
    isQueued = false
    const model = newest
    const saved = await store.save({ mayReview: !stopping.aborted })
    if (!saved.ok) return onFailure('save session', saved.error)
    const { due, dropped } = saved.value
    if (dropped > 0) onDropped(dropped)
    if (due) tasks.run(() => review(store, due, model))
  }

  return (model) => {
    newest = model ?? newest
    if (isQueued) return
    isQueued = true
    tasks.run(() => {
      // A save that crashed must not take the next ones with it; its own task reports it.
      saving = saving.catch(() => {}).then(saveQueued)
      return saving
    })
  }
}
