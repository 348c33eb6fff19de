/** What a session tells the memory provider of its home, and asks it. */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { sanitizeContext } from '../provider/context-fence.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { Session } from './session.ts'
import type { OwnedSession } from './session-handles.ts'
import { areMessages } from './valid-messages.ts'

export interface SessionProviderDeps {
  readonly sessionId: string
  readonly provider: ProviderConnection | undefined
  readonly tasks: Pick<BackgroundTasks, 'run'>
  /** Another session of the home. */
  readonly openSession: (id: string) => OwnedSession
  /** Whether text from outside is in sight in this session. */
  readonly isTainted: () => Promise<boolean>
}

export interface SessionProvider extends Pick<Session, 'beforeCompress' | 'switchTo'> {
  /** Hands over a finished turn, behind the turn. */
  turnFinished(messages: readonly TurnMessage[], automated: boolean): void
  /** Resolves when the end of the conversation is stored for delivery. */
  ended(): Promise<void>
  /** Nothing is handed over after this call. */
  forget(): void
}

const SWITCH_REASONS: ReadonlySet<unknown> = new Set(['compress', 'branch', 'new'])

const joined = (messages: readonly TurnMessage[]): string =>
  messages
    .map(({ text }) => sanitizeContext(text).trim())
    .filter((text) => text !== '')
    .join('\n\n')

const isAnswer = ({ role, outside }: TurnMessage): boolean => role === 'assistant' && outside !== true

/** The words of both sides, without recalled text and the results of tools. */
const wordsOf = (messages: readonly TurnMessage[]) => ({
  user: joined(messages.filter(isOwnMessage)),
  assistant: joined(messages.filter(isAnswer)),
})

export const sessionProvider = ({ sessionId, tasks, openSession, isTainted, ...deps }: SessionProviderDeps): SessionProvider => {
  let { provider } = deps
  const ended = async () => provider?.sessionEnded(sessionId)
  return {
    turnFinished(messages, automated) {
      if (provider) tasks.run(async () => provider?.turnFinished({ sessionId, ...wordsOf(messages), automated }))
    },
    ended,
    async beforeCompress(messages) {
      if (!provider || !areMessages(messages)) return ''
      const shown = messages.map(({ role, text }) => ({ role, text: sanitizeContext(text) }))
      const text = await provider.beforeCompress(sessionId, shown)
      tasks.run(ended)
      return text
    },
    switchTo(id, reason) {
      if (!SWITCH_REASONS.has(reason)) throw new TypeError("switchTo takes a reason: 'compress', 'branch' or 'new'.")
      const next = openSession(id)
      // A summary or a copy shows again what was in sight before.
      if (reason !== 'new') next.goesOn(isTainted())
      if (provider) tasks.run(async () => provider?.sessionSwitched({ from: sessionId, to: id, reason }))
      return next
    },
    forget() {
      provider = undefined
    },
  }
}
