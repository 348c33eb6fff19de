/** Recalled text in a host's prompt and answer: where it goes, and how it looks. Pure. */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { createContextScrubber } from '../provider/context-scrubber.ts'
import type { RecalledText } from '../session/session.ts'
import { asList, asRecord, asText } from './loose-values.ts'

/**
 * The fences by the position of their message among the user's own: 0 for the first. `prompt`: that of the call, in which each message of
 * the user has exactly one message of its own words.
 */
export const fencesByUserMessage = (prompt: readonly TurnMessage[], recalled: readonly RecalledText[]): ReadonlyMap<number, string> => {
  const fences = new Map<number, string>()
  if (recalled.length === 0) return fences
  const byIndex = new Map(recalled.map(({ index, text }) => [index, text]))
  let position = 0
  for (const [index, message] of prompt.entries()) {
    if (!isOwnMessage(message)) continue
    const text = byIndex.get(index)
    if (text !== undefined) fences.set(position, text)
    position += 1
  }
  return fences
}

/** The message with the fence after a blank line; unchanged if it already ends with it. */
export const appendFence = (text: string, fence: string): string => {
  if (text.endsWith(fence)) return text
  return text === '' ? fence : `${text}\n\n${fence}`
}

/** The content of a message, a text or a list of parts, with the fence. `type`: that of a text part. */
const fenceContent = (content: unknown, fence: string, type: string): unknown => {
  if (typeof content === 'string') return appendFence(content, fence)
  if (!Array.isArray(content)) return content
  const parts = asList(content)
  const at = parts.findLastIndex((part) => typeof part === 'string' || asRecord(part)['type'] === type)
  const last = parts[at]
  if (typeof last === 'string') return parts.with(at, appendFence(last, fence))
  if (at < 0) return [...parts, { type, text: fence }]
  const text = asText(asRecord(last)['text'])
  const isPlain = Object.values(asRecord(last)).filter((value) => value !== undefined).length <= 2
  if (isPlain) return parts.with(at, { ...asRecord(last), text: appendFence(text, fence) })
  return text.endsWith(fence) ? parts : parts.toSpliced(at + 1, 0, { type, text: `\n\n${fence}` })
}

/** How a framework's messages are built, if not as objects with a `role`, and a `content` whose text parts are `text`. */
export interface FencedMessages<Message> {
  readonly textType?: string
  /** Whether the message has words of the user. */
  readonly isOwn?: (message: Message) => boolean
  /** A copy with another content. */
  readonly withContent?: (message: Message, content: unknown) => Message
}

/**
 * Copies of the user's messages with their fences, each in the last text part of its message; the same array if there are none. If that part has further fields, such
 * as a cache breakpoint, the fence becomes a part of its own behind it: the host's part keeps its bytes. `fences`: see `fencesByUserMessage`.
 */
export const placeFences = <Message extends object>(
  messages: readonly Message[],
  fences: ReadonlyMap<number, string>,
  { textType = 'text', isOwn = hasRoleOfUser, withContent = (message, content) => ({ ...message, content }) }: FencedMessages<Message> = {},
): readonly Message[] => {
  if (fences.size === 0) return messages
  let position = -1
  return messages.map((message) => {
    if (!isOwn(message)) return message
    position += 1
    const fence = fences.get(position)
    return fence === undefined ? message : withContent(message, fenceContent(asRecord(message)['content'], fence, textType))
  })
}

const hasRoleOfUser = (message: unknown): boolean => asRecord(message)['role'] === 'user'

/** A complete text without the fences that the model repeated in it. */
export const scrubText = (text: string, fences: readonly string[]): string => {
  const scrubber = createContextScrubber(fences)
  return scrubber.push(text) + scrubber.flush()
}
