/** Saves a session behind the turn, and asks for a review once its turns are saved. */
import type { HostModel } from '../model/host-model.ts'
import { readUsage } from '../model/learning-cost.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { pause } from '../shared/pause.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionState } from './session-state.ts'

const CHARS_PER_TOKEN = 4

interface OpeningSession {
  /** Undefined until the session is open. */
  readonly state: SessionState | undefined
  /** Opens it on the first call. */
  ready(): Promise<SessionState>
}

export class SessionSaves {
  /** The model of the newest turn, for a review. */
  model: HostModel | undefined
  readonly #context: SessionContext
  readonly #open: OpeningSession
  #isQueued = false
  #saving: Promise<void> = Promise.resolve()
  // Of the host's own calls: what reviews cost is a share of these.
  #hostTokens = 0

  constructor(context: SessionContext, open: OpeningSession) {
    this.#context = context
    this.#open = open
  }

  /** Resolves when no save is running. */
  get done(): Promise<void> {
    return this.#saving.catch(() => {})
  }

  /** `said`: the prompt and the reply of one call, or a whole turn. `usage`: as reported by the provider, and untrusted; otherwise estimated from the texts. */
  countTokens(said: readonly TurnMessage[], usage: unknown): void {
    const counted = readUsage(usage)
    const guess = () => Math.ceil(said.reduce((sum, { text }) => sum + text.length, 0) / CHARS_PER_TOKEN)
    this.#hostTokens += counted ? (counted.inputTokens ?? 0) + (counted.outputTokens ?? 0) : guess()
  }

  /**
   * Requests a save and returns at once. `model`: of the turn that ended, for a review. A save starts only after work that waits for the answer, so that it never
   * delays the answer. Requests made while a save is queued or running share the next one.
   */
  request(model?: HostModel): void {
    if (model) this.model = model
    if (this.#isQueued) return
    this.#isQueued = true
    this.#context.tasks.run(() => {
      // A crashed save must not prevent later ones; its own task reports it.
      this.#saving = this.#saving
        .catch(() => {})
        .then(() => pause())
        .then(() => this.#save())
      return this.#saving
    })
  }

  /** Resolves when everything is saved, and all work behind the turn is done. */
  async settled(): Promise<void> {
    await this.#context.tasks.settled()
    if (!this.#open.state?.unsaved) return
    this.request()
    await this.#context.tasks.settled()
  }

  async #save(): Promise<void> {
    const { home, id, tasks } = this.#context
    const state = await this.#open.ready()
    if (!this.#isQueued) return
    this.#isQueued = false
    const [model, hostTokens] = [this.model, this.#hostTokens]
    const saved = await state.save(hostTokens)
    if (!saved.ok) return this.#context.failed('save session', saved.error)
    const { counts, shown, tainted, dropped, asked } = saved.value
    if (dropped > 0) home.emit({ type: 'turns-dropped', sessionId: id, at: home.clock(), turns: dropped })
    if (!asked) return
    this.#hostTokens -= hostTokens
    const reviews = await home.reviews()
    if (!reviews.ok) return this.#context.failed('load reviews', reviews.error)
    const review = await reviews.value.turnSaved(
      asked,
      { saved: counts, ...this.#context.ofProject, shown, tainted },
      { sessionId: id, model },
    )
    if (review) tasks.run(review)
  }
}
