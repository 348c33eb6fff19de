/** Appends recalled text to copies of the user's messages. Pure; does not change the host's objects. */
import { appendFence, asRecord } from '@hermes/core/adapter'
import type { ProviderMessage } from './provider-protocol.ts'

/**
 * In the last text part. If that part carries provider options, such as a cache breakpoint, the fence becomes a part of its own behind it:
 * the host's part keeps its bytes, and a breakpoint on the message covers both.
 */
const fencedContent = (content: unknown, fence: string): unknown => {
  if (typeof content === 'string') return appendFence(content, fence)
  if (!Array.isArray(content)) return content
  const parts: readonly unknown[] = content
  const at = parts.findLastIndex((part) => asRecord(part)['type'] === 'text')
  const last = asRecord(parts[at])
  if (at < 0) return [...parts, { type: 'text', text: fence }]
  const text = String(last['text'])
  if (last['providerOptions'] === undefined) return parts.with(at, { ...last, text: appendFence(text, fence) })
  return text.endsWith(fence) ? parts : [...parts.slice(0, at + 1), { type: 'text', text: `\n\n${fence}` }, ...parts.slice(at + 1)]
}

/** `fences`: by the position of the message among the user's messages. */
export const placeRecalled = (prompt: readonly ProviderMessage[], fences: ReadonlyMap<number, string>): readonly ProviderMessage[] => {
  if (fences.size === 0) return prompt
  let position = -1
  return prompt.map((message) => {
    if (message.role !== 'user') return message
    position += 1
    const fence = fences.get(position)
    return fence === undefined ? message : { ...message, content: fencedContent(message.content, fence) }
  })
}
