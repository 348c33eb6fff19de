/** Appends recalled text to copies of the user's messages. Pure; does not change the host's objects. */
import { appendFence, asRecord, asText } from '@hermes/core/adapter'
import type { BaseMessage } from '@langchain/core/messages'
import { withFields } from './message-texts.ts'
import { isUserMessage } from './to-turn-messages.ts'

/**
 * In the last text part. If that part has further fields, such as a cache breakpoint, the fence becomes a part of its own behind it: the
 * host's part keeps its bytes.
 */
const fencedContent = (content: unknown, fence: string): unknown => {
  if (typeof content === 'string') return appendFence(content, fence)
  if (!Array.isArray(content)) return content
  const parts: readonly unknown[] = content
  const at = parts.findLastIndex((part) => typeof part === 'string' || asRecord(part)['type'] === 'text')
  const last = parts[at]
  if (typeof last === 'string') return parts.with(at, appendFence(last, fence))
  if (at < 0) return [...parts, { type: 'text', text: fence }]
  const text = asText(asRecord(last)['text'])
  if (Object.keys(asRecord(last)).length === 2) return parts.with(at, { type: 'text', text: appendFence(text, fence) })
  return text.endsWith(fence) ? parts : [...parts.slice(0, at + 1), { type: 'text', text: `\n\n${fence}` }, ...parts.slice(at + 1)]
}

/** `fences`: by the position of the message among the user's messages. The same array if there are none. */
export const placeRecalled = (messages: readonly BaseMessage[], fences: ReadonlyMap<number, string>): readonly BaseMessage[] => {
  if (fences.size === 0) return messages
  let position = -1
  return messages.map((message) => {
    if (!isUserMessage(message)) return message
    position += 1
    const fence = fences.get(position)
    return fence === undefined ? message : withFields(message, { content: fencedContent(message.content, fence) })
  })
}
