/** Saves a session behind the turn, one save at a time, and starts the review that falls due with one. */
import type { HostModel } from '../model/host-model.ts'
import { readUsage } from '../model/learning-cost.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { ReviewRunner } from './review-runner.ts'
import type { SessionStore } from './session-store.ts'

// Tokens of the host's own calls, which the budget of learning is a part of: as the provider counted them, else a rough guess from their texts.

export interface HostTokens {
  /** `said`: the prompt and the reply of one call, or a whole turn. `usage` is untrusted. */
  count(said: readonly TurnMessage[], usage: unknown): void
  /** Since the last time. */
  take(): number
}

const CHARS_PER_TOKEN = 4

const guess = (said: readonly TurnMessage[]): number => Math.ceil(said.reduce((sum, { text }) => sum + text.length, 0) / CHARS_PER_TOKEN)

/** `isAsked` false: nobody needs them, and nothing is counted. */
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
