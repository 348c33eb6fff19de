/** Assigns ids and origins to the messages of a conversation: the platform determines whose words they are, never the model (DESIGN 5). Pure. */
import type { Origin } from '../shared/origin.ts'
import { splitUserMessage } from './own-words.ts'
import type { Transcript, TranscriptMessage } from './transcript.ts'
import type { TurnMessage } from './turn-message.ts'

export interface StampOptions {
  /** Text from outside was in sight before these messages. Default false. */
  readonly tainted?: boolean
}

const isTrustedResult = ({ trusted, toolNames = [] }: TurnMessage, trustedTools: ReadonlySet<string>): boolean =>
  trusted === true || (toolNames.length > 0 && toolNames.every((name) => trustedTools.has(name)))

/** After the first text from outside, the agent's words have the origin `tool`, since they may be based on it. */
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

/** True if any message is from outside. */
export const holdsOutsideText = (transcript: Transcript): boolean => transcript.some(({ origin }) => origin === 'tool')

/** Stamps turns that need not be consecutive, each by what was in sight before it; ids are unique across all turns. */
export const stampTurns = (
  turns: readonly { readonly messages: readonly TurnMessage[]; readonly tainted?: boolean; readonly at?: number }[],
  trustedTools: ReadonlySet<string>,
): Transcript =>
  turns
    .flatMap(({ messages, tainted = false, at }) =>
      stampTranscript(messages, trustedTools, { tainted }).map((message) => (at === undefined ? message : { ...message, at })),
    )
    .map((message, index) => ({ ...message, id: `m${index + 1}` }))
