/** Saves a session behind the turn, one save at a time, and starts the review that falls due with one. */
import type { HostModel } from '../model/host-model.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { HostTokens } from './host-tokens.ts'
import type { ReviewRunner } from './review-runner.ts'
import type { SessionStore } from './session-store.ts'

export interface SessionSaverDeps {
  readonly sessionId: string
  readonly ready: () => Promise<SessionStore>
  readonly tasks: BackgroundTasks
  readonly reviews: Pick<ReviewRunner, 'turnsSaved'>
  readonly tokens: Pick<HostTokens, 'take'>
  readonly onFailure: (operation: string, error: HermesError) => void
  /** Told of turns that no review has read and for which there is no room. */
  readonly onDropped: (turns: number) => void
}

/**
 * `model`: of the turn that ended, for a review. Returns at once. A save begins once what waits for the answer has had its turn, so that the answer never waits for
 * it. Saves that are asked for meanwhile, or while one is under way, share the next.
 */
export const sessionSaver = (deps: SessionSaverDeps): ((model?: HostModel) => void) => {
  const { sessionId, ready, tasks, reviews, tokens, onFailure, onDropped } = deps
  let isQueued = false
  let newest: HostModel | undefined
  let saving: Promise<void> = Promise.resolve()

  const saveQueued = async () => {
    const store = await ready()
    if (!isQueued) return
    isQueued = false
    const model = newest
    const saved = await store.save()
    if (!saved.ok) return onFailure('save session', saved.error)
    const { counts, shown, tainted, dropped } = saved.value
    if (dropped > 0) onDropped(dropped)
    if (!counts || !shown) return
    const review = await reviews.turnsSaved({ saved: counts, shown, tainted, hostTokens: tokens.take() }, { sessionId, model })
    if (review) tasks.run(review)
  }

  return (model) => {
    newest = model ?? newest
    if (isQueued) return
    isQueued = true
    tasks.run(() => {
      // A save that crashed must not take the next ones with it; its own task reports it.
      saving = saving
        .catch(() => {})
        .then(() => pause())
        .then(saveQueued)
      return saving
    })
  }
}
