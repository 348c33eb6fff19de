/** Sends reasoning back as the provider wrote it, where the host was shown it without a repeated fence. */
import { type OriginalTexts, originalTexts } from '@hermes/core/adapter'
import type { BaseMessage } from '@langchain/core/messages'
import { replaceTexts } from './message-texts.ts'
import { messageType } from './message-type.ts'

export type OriginalReasoning = OriginalTexts<readonly BaseMessage[]>

/** That of each session. */
export const originalReasonings = () =>
  originalTexts<readonly BaseMessage[]>((messages, originalOf) =>
    messages.map((message) =>
      messageType(message) === 'ai'
        ? replaceTexts(message, ({ kind, text }) => (kind === 'reasoning' ? (originalOf(text) ?? text) : text))
        : message,
    ),
  )
