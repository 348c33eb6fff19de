/** The type of a message, whichever copy or major of `@langchain/core` created it. */
import { asRecord, asText } from '@hermes/core/adapter'

export type MessageType = 'system' | 'human' | 'ai' | 'tool' | 'other'

const TYPES: Readonly<Record<string, MessageType>> = {
  system: 'system',
  developer: 'system',
  human: 'human',
  user: 'human',
  ai: 'ai',
  assistant: 'ai',
  tool: 'tool',
  function: 'tool',
}

const rawType = (message: unknown): string => {
  if (typeof message !== 'object' || message === null) return ''
  if ('getType' in message && typeof message.getType === 'function') return asText(message.getType())
  // The name before core 0.3.20.
  if ('_getType' in message && typeof message._getType === 'function') return asText(message._getType())
  return ''
}

export const messageType = (message: unknown): MessageType => {
  const type = rawType(message)
  // A ChatMessage carries a role chosen by the host.
  return TYPES[type === 'generic' ? asText(asRecord(message)['role']) : type] ?? 'other'
}

export const isMessage = (value: unknown): boolean => rawType(value) !== ''
