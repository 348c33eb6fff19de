/**
 * Converts a prompt of the AI SDK (V2, V3, V4 or the host's own `ModelMessage[]`) to turn messages of core. Pure; never throws on
 * unexpected parts.
 */
import type { TurnMessage } from '@hermes/core'
import { asList, asRecord, asText, withSystemContext } from '@hermes/core/adapter'
import { fileText, toolOutputText } from './part-text.ts'
import type { ProviderMessage } from './provider-protocol.ts'

type Part = Readonly<Record<string, unknown>>

const toParts = (content: unknown): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asRecord)

/** Fast path for messages with exactly one text part, the most common kind; undefined for others. */
const onlyTextOf = (parts: readonly Part[]): string | undefined =>
  parts.length === 1 && parts[0]?.['type'] === 'text' ? asText(parts[0]['text']) : undefined

const textOf = (parts: readonly Part[]): string =>
  onlyTextOf(parts) ??
  parts
    .filter((part) => part['type'] === 'text')
    .map((part) => asText(part['text']))
    // The SDK omits empty texts from a prompt but passes them to tools.
    .filter((text) => text !== '')
    .join('\n')

const isFile = (part: Part): boolean => part['type'] === 'file' || part['type'] === 'image'

// The user's own text comes first, even if empty: a message with only an attachment is still a user turn.
const userMessages = (parts: readonly Part[]): readonly TurnMessage[] => {
  const files = parts.filter(isFile).map((part): TurnMessage => ({ role: 'user', text: fileText(part), outside: true }))
  return [{ role: 'user', text: textOf(parts) }, ...files]
}

const namesOf = (part: Part): { readonly toolNames?: readonly string[] } =>
  typeof part['toolName'] === 'string' ? { toolNames: [part['toolName']] } : {}

const toolMessage = (part: Part): TurnMessage => {
  const failed = asText(asRecord(part['output'])['type']).startsWith('error-')
  return { role: 'tool', text: toolOutputText(part['output']), ...namesOf(part), ...(failed ? { failed } : {}) }
}

const approvalMessage = (part: Part): TurnMessage => {
  const verdict = part['approved'] === true ? '[approved]' : '[denied]'
  return { role: 'tool', text: [verdict, asText(part['reason'])].filter((word) => word !== '').join(' ') }
}

const toolMessages = (parts: readonly Part[]): readonly TurnMessage[] =>
  parts.flatMap((part) => {
    if (part['type'] === 'tool-result') return [toolMessage(part)]
    return part['type'] === 'tool-approval-response' ? [approvalMessage(part)] : []
  })

const spoken = (parts: readonly Part[]): readonly TurnMessage[] => {
  const only = onlyTextOf(parts)
  if (only) return [{ role: 'assistant', text: only }]
  const toolNames = parts.filter((part) => part['type'] === 'tool-call').map((part) => asText(part['toolName']))
  const text = [textOf(parts), ...parts.filter(isFile).map(fileText)].filter((line) => line !== '').join('\n')
  if (text === '' && toolNames.length === 0) return []
  return [{ role: 'assistant', text, ...(toolNames.length === 0 ? {} : { toolNames }) }]
}

// Results of tools that the provider runs are part of the assistant's message, but are still outside text.
const assistantMessages = (parts: readonly Part[]): readonly TurnMessage[] => {
  const at = parts.findIndex((part) => part['type'] === 'tool-result')
  const result = parts[at]
  if (result === undefined) return spoken(parts)
  return [...spoken(parts.slice(0, at)), toolMessage(result), ...assistantMessages(parts.slice(at + 1))]
}

const systemTexts = (prompt: readonly ProviderMessage[]): readonly string[] =>
  prompt.filter((message) => message.role === 'system').map((message) => textOf(toParts(message.content)))

/**
 * Omits reasoning, and system messages except for text fenced with `fenceContext` of core. Files are named in brackets; tool results are
 * cut at `MAX_OUTSIDE_CHARS`.
 */
export const toTurnMessages = (prompt: readonly ProviderMessage[]): readonly TurnMessage[] => {
  const turn = prompt.flatMap((message): readonly TurnMessage[] => {
    const parts = toParts(message.content)
    switch (message.role) {
      case 'user':
        return userMessages(parts)
      case 'assistant':
        return assistantMessages(parts)
      case 'tool':
        return toolMessages(parts)
      default:
        return []
    }
  })
  return withSystemContext(turn, systemTexts(prompt))
}
