/** Sends reasoning back as the provider wrote it, where the host was shown it without a repeated fence. */
import { asRecord, asText, type OriginalTexts, originalTexts } from '@hermes/core/adapter'
import type { ProviderMessage } from './provider-protocol.ts'

export type OriginalReasoning = OriginalTexts<readonly ProviderMessage[]>

/** That of each session. */
export const originalReasonings = () =>
  originalTexts<readonly ProviderMessage[]>((prompt, originalOf) => {
    const restorePart = (part: unknown): unknown => {
      const { type, text } = asRecord(part)
      const original = type === 'reasoning' ? originalOf(asText(text)) : undefined
      return original === undefined ? part : { ...asRecord(part), text: original }
    }
    return prompt.map((message) =>
      message.role === 'assistant' && Array.isArray(message.content) ? { ...message, content: message.content.map(restorePart) } : message,
    )
  })
