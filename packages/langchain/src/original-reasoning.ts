/**
 * Several providers sign reasoning and refuse a prompt in which it comes back changed. Where a repeated fence was removed from it, this
 * process sends the original again, to the provider and in the same session only: it contains what was recalled for its owner.
 */
import type { Session } from '@hermes/core'
import type { BaseMessage } from '@langchain/core/messages'
import { replaceTexts } from './message-texts.ts'
import { messageType } from './message-type.ts'

/** Maximum number of texts to remember; they are needed only until the turn is over. */
const MAX_REMEMBERED = 100

export interface OriginalReasoning {
  note(shown: string, original: string): void
  /** The same object if nothing is to be restored. */
  restore(messages: readonly BaseMessage[]): readonly BaseMessage[]
}

const originalReasoning = (): OriginalReasoning => {
  const originals = new Map<string, string>()
  return {
    note(shown, original) {
      originals.delete(shown)
      originals.set(shown, original)
      const [oldest] = originals.keys()
      if (originals.size > MAX_REMEMBERED && oldest !== undefined) originals.delete(oldest)
    },
    restore: (messages) =>
      originals.size === 0
        ? messages
        : messages.map((message) =>
            messageType(message) === 'ai'
              ? replaceTexts(message, ({ kind, text }) => (kind === 'reasoning' ? (originals.get(text) ?? text) : text))
              : message,
          ),
  }
}

/** That of each session. */
export const originalReasonings = (): ((session: Session) => OriginalReasoning) => {
  const known = new WeakMap<Session, OriginalReasoning>()
  return (session) => {
    const reasoning = known.get(session) ?? originalReasoning()
    known.set(session, reasoning)
    return reasoning
  }
}
