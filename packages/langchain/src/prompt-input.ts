/** What a model of LangChain can be called with, read as messages or as one text, and written back with the block in it. */
import type { TurnMessage } from '@hermes/core'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { type BaseMessage, coerceMessageLikeToMessage, HumanMessage } from '@langchain/core/messages'
import { placeBlock } from './place-block.ts'
import { toTurnMessages } from './to-turn-messages.ts'

export interface PromptInput {
  /** The conversation without system messages. */
  readonly turnMessages: readonly TurnMessage[]
  /** The same input with the block in it; the very same object where the block is empty. */
  withBlock(block: string): { readonly input: BaseLanguageModelInput; readonly messages: readonly BaseMessage[] }
}

const textOf = (input: BaseLanguageModelInput): string | undefined => {
  if (typeof input === 'string') return input
  if (Array.isArray(input)) return undefined
  return 'value' in input && typeof input.value === 'string' ? input.value : undefined
}

const messagesOf = (input: BaseLanguageModelInput): readonly BaseMessage[] => {
  if (typeof input === 'string') return [new HumanMessage(input)]
  return Array.isArray(input) ? input.map((message) => coerceMessageLikeToMessage(message)) : input.toChatMessages()
}

/** `textModel`: it takes one text, so the block stands in front of that text instead of becoming a message. */
export const readPromptInput = (input: BaseLanguageModelInput, textModel: boolean): PromptInput => {
  const messages = messagesOf(input)
  const text = textModel ? textOf(input) : undefined
  return {
    turnMessages: toTurnMessages(messages),
    withBlock(block) {
      const placed = placeBlock(messages, block)
      if (placed === messages) return { input, messages }
      return { input: text === undefined ? [...placed] : `${block}\n\n${text}`, messages: placed }
    },
  }
}
