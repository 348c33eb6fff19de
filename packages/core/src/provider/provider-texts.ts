/**
 * The texts between a home and its provider. What is stored for a provider or handed to it has no credentials and fences, and a bounded length. Of what it returns
 * nothing is trusted, and none of it can contain the fence of recalled text.
 */
import { cutEnd } from '../model/cut-text.ts'
import { isData } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
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

/** Zero width, direction overrides, tag characters and rare selectors, which can hide a whole text. Joiners and direction marks belong to languages. */
const HIDDEN = /[\u00ad\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e01ef}]/gu

/** One text for the model: well-formed, with LF, without hidden characters, fences and credentials. Recalled text stays data, so it may speak of anything. */
export const cleanText = (text: string): string =>
  redactCredentials(sanitizeContext(text.toWellFormed().replace(HIDDEN, '').replace(/\r\n?/g, '\n')))

/** Texts of an answer that are looked at. */
const MAX_TEXTS = 1_000
/** Characters that cleaning may remove from a text that fits afterwards. */
const MAX_REMOVED = 2_000

/** What a session takes of a provider's answer. */
export interface ProviderTexts {
  readonly texts: readonly string[]
  /** Number of texts that did not fit. */
  readonly dropped: number
}

interface TextLimits {
  readonly maxChars: number
  /** Texts that the session was shown before. */
  readonly known: ReadonlySet<string>
}

/** Between two texts. */
const SEPARATOR = 2

/** `undefined` for anything but a text or a list of texts. What does not fit is dropped whole, and so are texts that are known or blank. */
export const readTexts = (answer: unknown, { maxChars, known }: TextLimits): ProviderTexts | undefined => {
  const list: unknown = typeof answer === 'string' ? [answer] : answer
  if (!Array.isArray(list)) return undefined
  const texts: string[] = []
  let room = maxChars
  let dropped = Math.max(0, list.length - MAX_TEXTS)
  for (let index = 0; index < Math.min(list.length, MAX_TEXTS); index++) {
    const text: unknown = list[index]
    if (typeof text !== 'string') return undefined
    // A text that cannot fit is not cleaned: ten megabytes would block the host.
    const cleaned = text.length > room + MAX_REMOVED ? undefined : stripWhiteSpace(cleanText(text))
    if (cleaned === undefined || cleaned.length > room) dropped++
    else if (cleaned !== '' && !known.has(cleaned) && !texts.includes(cleaned)) {
      texts.push(cleaned)
      room -= cleaned.length + SEPARATOR
    }
  }
  return { texts, dropped }
}

/** Maximum length of what a provider adds to the prompt that summarises a conversation. */
const MAX_SUMMARY = 8_000

/** The text that a summary should keep; `undefined` if the answer is not a text. A longer one is cut at the end of a line. */
export const readSummary = (answer: unknown): string | undefined => {
  if (answer === undefined || answer === null) return ''
  if (typeof answer !== 'string') return undefined
  const cleaned = stripWhiteSpace(cleanText(answer.slice(0, MAX_SUMMARY + MAX_REMOVED)))
  if (cleaned.length <= MAX_SUMMARY) return cleaned
  const end = cleaned.lastIndexOf('\n', MAX_SUMMARY)
  return cleaned.slice(0, end > 0 ? end : MAX_SUMMARY).toWellFormed()
}

/** `undefined` for anything but a number of things. */
export const readCount = (answer: unknown): number | undefined =>
  typeof answer === 'number' && Number.isSafeInteger(answer) && answer >= 0 ? answer : undefined

export const MAX_TOOL_CHARS = 16_000

type ToolAnswer = Readonly<Record<string, unknown>>

const TOO_LONG = new Error('too long')

const cleanData = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanData)
  return isData(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanData(item)])) : value
}

/** A copy as JSON, with every text cleaned. Stops when more than the limit has been seen, so that a huge answer costs no more than a long one. */
export const readToolAnswer = (answer: unknown): ToolAnswer | 'not-json' | 'too-long' => {
  if (!isData(answer)) return 'not-json'
  let room = MAX_TOOL_CHARS
  const bounded = (key: string, value: unknown): unknown => {
    room -= key.length + (typeof value === 'string' ? value.length : 0) + 4
    if (room < 0) throw TOO_LONG
    return value
  }
  try {
    const copy: unknown = cleanData(JSON.parse(JSON.stringify(answer, bounded)))
    // Cleaning adds a note in place of a credential, or the mark of an escaped tag.
    if (JSON.stringify(copy).length > MAX_TOOL_CHARS) return 'too-long'
    return isData(copy) ? copy : 'not-json'
  } catch (cause) {
    // Anything else was thrown by a getter or a toJSON of the answer, or the answer is not JSON.
    return cause === TOO_LONG ? 'too-long' : 'not-json'
  }
}
