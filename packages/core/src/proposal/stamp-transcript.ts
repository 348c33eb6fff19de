/** Stamps ids and origins on a conversation: the platform says whose words they are, never the model (DESIGN 5). Pure. */
import type { Origin } from '../shared/origin.ts'
import { splitOwnWords } from './own-words.ts'
import type { Transcript, TranscriptMessage } from './transcript.ts'
import type { TurnMessage } from './turn-message.ts'

/** One user message as its parts, so that each of them is either the user's own words or text from outside. Other messages stay as they are. */
export const splitUserMessage = (message: TurnMessage): readonly TurnMessage[] => {
  if (message.role !== 'user' || message.outside === true) return [message]
  return splitOwnWords(message.text).map(({ text, outside }) => ({ ...message, text, ...(outside ? { outside } : {}) }))
}

const isTrustedResult = ({ trusted, toolNames = [] }: TurnMessage, trustedTools: ReadonlySet<string>): boolean =>
  trusted === true || (toolNames.length > 0 && toolNames.every((name) => trustedTools.has(name)))

/** Marks what trusted tools have answered, for whoever reads the messages without knowing these tools: another process, or a review of many sessions. */
export const markTrustedResults = (messages: readonly TurnMessage[], trustedTools: ReadonlySet<string>): readonly TurnMessage[] =>
  messages.map(({ trusted: _, ...message }) =>
    message.role === 'tool' && message.outside !== true && isTrustedResult(message, trustedTools) ? { ...message, trusted: true } : message,
  )

export interface StampOptions {
  /** Text from outside was in sight before these messages. Default false. */
  readonly tainted?: boolean
}

/** From the first text from outside on, to the end, what the agent says counts as `tool`: nobody can tell what of it came from there. */
export const stampTranscript = (
  messages: readonly TurnMessage[],
  trustedTools: ReadonlySet<string>,
  options: StampOptions = {},
): Transcript => {
  let tainted = options.tainted === true
  const originOf = (message: TurnMessage): Origin => {
    const isOwn = message.outside !== true
    if (isOwn && message.role === 'user') return 'user'
    if (isOwn && (message.role === 'assistant' || isTrustedResult(message, trustedTools))) return tainted ? 'tool' : 'assistant'
    tainted = true
    return 'tool'
  }
  return messages
    .flatMap(splitUserMessage)
    .map(
      (message, index): TranscriptMessage => ({ id: `m${index + 1}`, role: message.role, origin: originOf(message), text: message.text }),
    )
}

/** Does any of it come from outside? */
export const holdsOutsideText = (transcript: Transcript): boolean => transcript.some(({ origin }) => origin === 'tool')

/** Turns that need not follow each other, each stamped by what was in sight before it; the ids are those of the whole. */
export const stampTurns = (
  turns: readonly { readonly messages: readonly TurnMessage[]; readonly tainted?: boolean }[],
  trustedTools: ReadonlySet<string>,
): Transcript =>
  turns
    .flatMap(({ messages, tainted = false }) => stampTranscript(messages, trustedTools, { tainted }))
    .map((message, index) => ({ ...message, id: `m${index + 1}` }))
