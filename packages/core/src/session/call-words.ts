/** Whose words a call of one of the agent's tools can hold: those of its conversation, as the session proves them. */
import { withOutsideOf } from '../proposal/system-context.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { LazySession } from './lazy-session.ts'
import type { SessionContext } from './session-context.ts'

/** The session has marked the results of trusted tools. */
const NO_NAMES: ReadonlySet<string> = new Set()

/** The context of a proposal whose text is from outside, whoever's words they are. */
export const asOutside = (text: string) =>
  ({ transcript: [{ id: 'the call', role: 'tool', origin: 'tool', text }], sight: 'outside', unattended: false }) as const

export class CallWords {
  readonly #context: Pick<SessionContext, 'openTurn'>
  readonly #open: Pick<LazySession, 'ready' | 'isTainted'>

  constructor(context: Pick<SessionContext, 'openTurn'>, open: Pick<LazySession, 'ready' | 'isTainted'>) {
    this.#context = context
    this.#open = open
  }

  /** Without the turn, the words cannot be attributed: with an empty transcript, the gate holds what it cannot trace. */
  seen(messages: readonly TurnMessage[] | undefined): readonly TurnMessage[] {
    const { openTurn = [] } = this.#context
    return messages === undefined ? openTurn : withOutsideOf(messages, openTurn)
  }

  /** Whether text from outside is in sight of the call. */
  async holdOutside(messages: readonly TurnMessage[] | undefined): Promise<boolean> {
    const seen = this.seen(messages)
    return seen.length > 0 && (await this.stamp(seen, this.#context.openTurn)).sight === 'outside'
  }

  async stamp(seen: readonly TurnMessage[], openTurn: readonly TurnMessage[] | undefined) {
    const { holdsOutsideText, stampTranscript } = await import('../proposal/stamp-transcript.ts')
    const state = await this.#open.ready()
    const [tainted, proven, open] = await Promise.all([
      this.#open.isTainted(),
      state.own.prove(seen, openTurn === undefined),
      state.own.prove(openTurn ?? [], false),
    ])
    const transcript = stampTranscript(proven, NO_NAMES, { tainted })
    const isOutside = tainted || holdsOutsideText(transcript) || holdsOutsideText(stampTranscript(open, NO_NAMES))
    return { transcript, sight: isOutside ? ('outside' as const) : ('own' as const), unattended: false }
  }
}
