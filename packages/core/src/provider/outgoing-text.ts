/** Prepares what is stored for a provider or handed to it: without credentials and fences, and of bounded length. */
import { cutEnd } from '../model/cut-text.ts'
import { pause } from '../shared/pause.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { sanitizeContext } from './context-fence.ts'

/** Code points of one text; the beginning is kept. Redacting twice as many can take longer than work behind a turn may hold up its process. */
const MAX_TEXT = 32_000
/** Code points of the words that a provider searches for. */
const MAX_QUERY = 8_000
/** UTF-16 characters of a conversation, of which the end is kept. */
const MAX_CONVERSATION = 400_000
/** Characters that are prepared before other work can run. */
const CHARS_BEFORE_PAUSE = 64_000

export const outgoingText = (text: string, maxChars = MAX_TEXT): string => {
  // More than the cut looks at, and no more, since every pass over a huge text takes time.
  const beginning = text.slice(0, 2 * maxChars + 2).toWellFormed()
  return redactCredentials(sanitizeContext(cutEnd(beginning, maxChars)))
}

export const outgoingQuery = (text: string): string => outgoingText(text, MAX_QUERY)

interface ConversationMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
}

/** The newest messages that fit. */
export const outgoingConversation = async (messages: readonly ConversationMessage[]): Promise<readonly ConversationMessage[]> => {
  const prepared: ConversationMessage[] = []
  let room = MAX_CONVERSATION
  let chars = 0
  for (const { role, text } of messages.toReversed()) {
    const outgoing = outgoingText(text)
    room -= outgoing.length
    if (room < 0) break
    prepared.push({ role, text: outgoing })
    chars += text.length
    if (chars > CHARS_BEFORE_PAUSE) {
      chars = 0
      await pause()
    }
  }
  return prepared.reverse()
}
