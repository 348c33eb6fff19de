/** Reads every input that a LangChain model accepts as messages or as one text, and returns it in the same form with the block added. */
import type { TurnMessage } from '@hermes/core'
import { appendFence, fenceContext } from '@hermes/core/adapter'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { type BaseMessage, coerceMessageLikeToMessage, HumanMessage } from '@langchain/core/messages'
import type { OriginalReasoning } from './original-reasoning.ts'
import { placeBlock } from './place-block.ts'
import { placeRecalled } from './place-recalled.ts'
import { toTurnMessages } from './to-turn-messages.ts'

/** What Hermes adds to a prompt. */
interface PlacedTexts {
  /** The frozen text for the system prompt; `''` for none. */
  readonly block: string
  /** Recalled text, by the position of its message among the user's. */
  readonly fences: ReadonlyMap<number, string>
  readonly reasoning: OriginalReasoning
}

export interface PromptInput {
  /** The conversation without system messages. */
  readonly turnMessages: readonly TurnMessage[]
  /** A prompt template rendered to one text: it mixes the user's text, a history and documents, which cannot be told apart. */
  readonly mixed: boolean
  /** The same input with everything placed in it; the same object if there is nothing to place. */
  withPlaced(placed: PlacedTexts): { readonly input: BaseLanguageModelInput; readonly messages: readonly BaseMessage[] }
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

/**
 * A plain string is the user's own text; the text of a template is not. Fenced, it is still a turn, but no part of it counts as the user's
 * words.
 */
const readTurn = (messages: readonly BaseMessage[], mixed: string | undefined): readonly TurnMessage[] =>
  mixed === undefined ? toTurnMessages(messages) : [{ role: 'user', text: fenceContext(mixed) }]

/** `textModel`: the model takes one text, so the block is prepended to it instead of becoming a message. */
export const readPromptInput = (input: BaseLanguageModelInput, textModel: boolean): PromptInput => {
  const messages = messagesOf(input)
  const whole = textOf(input)
  const text = textModel ? whole : undefined
  const mixed = typeof input === 'string' ? undefined : whole
  return {
    turnMessages: readTurn(messages, mixed),
    mixed: mixed !== undefined,
    withPlaced({ block, fences, reasoning }) {
      const placed = placeBlock(reasoning.restore(placeRecalled(messages, fences)), block)
      if (placed === messages) return { input, messages }
      if (text === undefined) return { input: [...placed], messages: placed }
      const fenced = [...fences.values()].reduce(appendFence, text)
      return { input: block === '' ? fenced : `${block}\n\n${fenced}`, messages: placed }
    },
  }
}
