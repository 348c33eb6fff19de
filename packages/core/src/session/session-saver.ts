/** Saves a session behind the turn, one save at a time, and starts the review that falls due with one. */
import type { HostModel } from '../model/host-model.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { ReviewScheduler } from './review-scheduler.ts'
import type { SessionStore } from './session-store.ts'

export interface Save {
  readonly finishedTurns: readonly (readonly TurnMessage[])[]
  readonly model: HostModel | undefined
}

/** Something else than a turn changed: the record is new, or was refreshed. */
export const NOTHING_FINISHED: Save = { finishedTurns: [], model: undefined }

export interface SessionSaverDeps {
  readonly ready: () => Promise<SessionStore>
  readonly tasks: BackgroundTasks
  readonly reviews: ReviewScheduler
  readonly onFailure: (operation: string, error: HermesError) => void
}

/** Returns at once. Saves that are asked for while one is under way share the next. */
export const sessionSaver = ({ ready, tasks, reviews, onFailure }: SessionSaverDeps): ((save: Save) => void) => {
  let queued: Save | undefined
  let saving: Promise<void> = Promise.resolve()

  const saveQueued = async () => {
    const store = await ready()
    const save = queued
    queued = undefined
    if (!save) return
    const saved = await store.save(save.finishedTurns)
    if (!saved.ok) return onFailure('save session', saved.error)
    const due = saved.value
    if (!due) return
    tasks.run(async () => {
      let succeeded = false
      try {
        succeeded = await reviews.run(due, save.model)
      } finally {
        // Whatever became of it, the next review must not wait until this one counts as dead.
        const ended = await store.endReview(due, succeeded)
        if (!ended.ok) onFailure('save session', ended.error)
      }
    })
  }

  return (save) => {
    const waiting = queued
    queued = waiting ? { finishedTurns: [...waiting.finishedTurns, ...save.finishedTurns], model: save.model ?? waiting.model } : save
    if (waiting) return
    tasks.run(() => {
      // A save that crashed must not take the next ones with it; its own task reports it.
      saving = saving.catch(() => {}).then(saveQueued)
      return saving
    })
  }
}
