/**
 * Several providers sign reasoning and refuse a prompt in which it comes back changed. Where a repeated fence was removed from it, this
 * process sends the original again, to the provider and in the same session only: it contains what was recalled for its owner.
 */
import type { Session } from '@hermes/core'
import { asRecord, asText } from '@hermes/core/adapter'
import type { ProviderMessage } from './provider-protocol.ts'

/** Maximum number of texts to remember; they are needed only until the turn is over. */
const MAX_REMEMBERED = 100

export interface OriginalReasoning {
  note(shown: string, original: string): void
  /** The same object if nothing is to be restored. */
  restore(prompt: readonly ProviderMessage[]): readonly ProviderMessage[]
}

const originalReasoning = (): OriginalReasoning => {
  const originals = new Map<string, string>()

  const restorePart = (part: unknown): unknown => {
    const { type, text } = asRecord(part)
    const original = type === 'reasoning' ? originals.get(asText(text)) : undefined
    return original === undefined ? part : { ...asRecord(part), text: original }
  }

  return {
    note(shown, original) {
      originals.delete(shown)
      originals.set(shown, original)
      const [oldest] = originals.keys()
      if (originals.size > MAX_REMEMBERED && oldest !== undefined) originals.delete(oldest)
    },
    restore: (prompt) =>
      originals.size === 0
        ? prompt
        : prompt.map((message) =>
            message.role === 'assistant' && Array.isArray(message.content)
              ? { ...message, content: message.content.map(restorePart) }
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
