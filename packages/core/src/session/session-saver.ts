/** Saves a session behind the turn, one save at a time, and starts the review that becomes due. */
import type { HostModel } from '../model/host-model.ts'
import { readUsage } from '../model/learning-cost.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { ReviewRunner } from './review-runner.ts'
import type { SessionStore } from './session-store.ts'

/** Counts the tokens of the host's own calls, of which the learning budget is a share: as reported by the provider, otherwise estimated from the texts. */
export interface HostTokens {
  /** `said`: the prompt and the reply of one call, or a whole turn. `usage` is untrusted. */
  count(said: readonly TurnMessage[], usage: unknown): void
  /** Tokens since the last call of `take()`. */
  take(): number
}

const CHARS_PER_TOKEN = 4

const guess = (said: readonly TurnMessage[]): number => Math.ceil(said.reduce((sum, { text }) => sum + text.length, 0) / CHARS_PER_TOKEN)

/** `isAsked` false: there is no budget, so nothing is counted. */
export const hostTokens = (isAsked: boolean): HostTokens => {
  let tokens = 0
  return {
    count(said, usage) {
      if (!isAsked) return
      const counted = readUsage(usage)
      tokens += counted ? (counted.inputTokens ?? 0) + (counted.outputTokens ?? 0) : guess(said)
    },
    take() {
      const taken = tokens
      tokens = 0
      return taken
    },
  }
}

export interface SessionSaverDeps {
  readonly sessionId: string
  readonly ready: () => Promise<SessionStore>
  readonly tasks: BackgroundTasks
  readonly reviews: Pick<ReviewRunner, 'turnsSaved'>
  readonly tokens: Pick<HostTokens, 'take'>
  readonly onFailure: (operation: string, error: HermesError) => void
  /** Called with the number of unreviewed turns that were dropped for lack of room. */
  readonly onDropped: (turns: number) => void
}

/**
 * Returns a function that requests a save and returns at once. `model`: of the turn that ended, for a review. A save starts only after work that waits for
 * the answer, so that it never delays the answer. Requests made while a save is queued or running share the next one.
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
    const occasion = counts && shown && { saved: counts, shown, tainted, hostTokens: tokens.take() }
    const review = occasion && (await reviews.turnsSaved(occasion, { sessionId, model }))
    if (review) tasks.run(review)
  }

  return (model) => {
    newest = model ?? newest
    if (isQueued) return
    isQueued = true
    tasks.run(() => {
      // A crashed save must not prevent later ones; its own task reports it.
      saving = saving
        .catch(() => {})
        .then(() => pause())
        .then(saveQueued)
      return saving
    })
  }
}
