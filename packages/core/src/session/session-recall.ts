/** Asks the memory provider once for each user turn, and shows the answers again in all later calls of the session (DESIGN 5). */
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { LazySession } from './lazy-session.ts'
import type { RecallContext, RecallWork } from './recall-work.ts'
import { withPlaceholders } from './recalled-turns.ts'
import { areMessages, type RecalledText, type StepStart } from './session.ts'

export class SessionRecall {
  readonly #context: RecallContext
  readonly #open: Pick<LazySession, 'state' | 'whenOpen'>
  #work: RecallWork | undefined

  constructor(context: RecallContext, open: Pick<LazySession, 'state' | 'whenOpen'>) {
    this.#context = context
    this.#open = open
  }

  /** See `Session.recall`. */
  async recall(prompt: readonly TurnMessage[], { nested }: Pick<StepStart, 'nested'> = {}): Promise<readonly RecalledText[]> {
    const { provider, nesting } = this.#context
    try {
      if (!provider || !areMessages(prompt) || nesting.wouldNest(prompt, nested)) return []
      const code = await import('./recall-work.ts')
      this.#work ??= new code.RecallWork(this.#context, this.#open)
      return await this.#work.recall(prompt)
    } catch (cause) {
      this.#context.crashed(cause)
      return []
    }
  }

  /** Called when a turn was counted as begun, or reported as a whole: from then on the same words are another turn, or a step of this one. */
  turnBegan(prompt: readonly TurnMessage[]): void {
    this.#work?.turnBegan(prompt)
  }

  /** The messages with a placeholder behind each that was sent with recalled text, as they are recorded. */
  seen(messages: readonly TurnMessage[]): readonly TurnMessage[] {
    return withPlaceholders(messages, this.#open.state?.recalled ?? [])
  }
}
