/** Reads a tool call from a part of an answer or a stream, if the host is to run the tool. */
import type { ModelToolCall } from '@hermes/core/adapter'
import { asRecord, asText } from '@hermes/core/adapter'

export const toToolCall = (value: unknown): Pick<ModelToolCall, 'id' | 'name' | 'input'> | undefined => {
  const part = asRecord(value)
  if (part['type'] !== 'tool-call' || part['providerExecuted'] === true) return undefined
  return { id: asText(part['toolCallId']), name: asText(part['toolName']), input: part['input'] }
}
