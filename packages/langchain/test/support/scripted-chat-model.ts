/** A LangChain chat model whose answers are given by a function; streams its text in chunks. Runs on core 0.3 and 1. */

import { asList, asRecord } from '@hermes/core/adapter'
import type { ModelAnswer, ModelCall } from '@hermes/testing'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import { contentText } from '../../src/content-text.ts'
import { messageType } from '../../src/message-type.ts'
import { REVIEW_TAG } from '../../src/quiet-config.ts'
import { toTurnMessages } from '../../src/to-turn-messages.ts'

export interface ScriptedChatModelOptions {
  readonly answer: (call: ModelCall, messages: readonly BaseMessage[]) => Promise<ModelAnswer>
  /** Retries a call once after a retryable error, as the providers' own clients do. Default: true. */
  readonly retries?: boolean
  /** Splits a prompt that is one text into the system prompt and the conversation. */
  readonly readText?: (text: string) => Pick<ModelCall, 'system' | 'messages'>
}

/** Recognised by its name, as in a host's retry policy. */
export class Retryable extends Error {
  override readonly name = 'Retryable'
}

let calls = 0

const toCall = (messages: readonly BaseMessage[], options: unknown, readText: ScriptedChatModelOptions['readText']): ModelCall => {
  const { signal, purpose } = asRecord(options)
  const common = { purpose: purpose === 'review' ? 'review' : 'turn', signal: signal instanceof AbortSignal ? signal : undefined } as const
  if (readText !== undefined && common.purpose === 'turn') return { ...common, ...readText(contentText(messages[0]?.content)) }
  const system = messages
    .filter((message) => messageType(message) === 'system')
    .map((message) => contentText(message.content, '\n\n').trim())
  return { ...common, system: system.join('\n\n'), messages: toTurnMessages(messages).map(({ role, text }) => ({ role, text })) }
}

export class ScriptedChatModel extends BaseChatModel {
  readonly #options: ScriptedChatModelOptions
  /** The configuration of each review, as passed. */
  readonly reviewConfigs: unknown[] = []

  constructor(options: ScriptedChatModelOptions) {
    super({ maxRetries: 0 })
    this.#options = options
  }

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: unknown[]) {
    return this.withConfig({ tools } as object)
  }

  override async invoke(...[input, options]: Parameters<BaseChatModel['invoke']>) {
    const isReview = asList(asRecord(options)['tags']).includes(REVIEW_TAG)
    if (isReview) this.reviewConfigs.push(options)
    return super.invoke(input, { ...options, purpose: isReview ? 'review' : 'turn' } as typeof options)
  }

  override async _generate(messages: BaseMessage[], options: unknown): Promise<ChatResult> {
    const decided = await this.#decide(messages, options)
    let text = ''
    if (decided.type === 'text') for await (const chunk of decided.chunks) text += chunk
    return { generations: [{ text, message: new AIMessage({ content: text, ...toolCalls(decided) }) }] }
  }

  override async *_streamResponseChunks(
    ...[messages, options, runManager]: Parameters<BaseChatModel['_streamResponseChunks']>
  ): AsyncGenerator<ChatGenerationChunk> {
    const decided = await this.#decide(messages, options)
    const chunkOf = (text: string, more: object = {}) =>
      new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text, ...more }) })
    if (decided.type === 'tool-call') yield chunkOf('', toolCalls(decided))
    if (decided.type !== 'text') return
    for await (const text of decided.chunks) {
      const chunk = chunkOf(text)
      // Called before the yield, as providers do: listeners receive the chunk first.
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk })
      yield chunk
    }
  }

  async #decide(messages: BaseMessage[], options: unknown): Promise<ModelAnswer> {
    const { answer, retries = true, readText } = this.#options
    const call = toCall(messages, options, readText)
    let decided = await answer(call, messages)
    if (decided.type === 'error' && decided.retryable && retries) decided = await answer(call, messages)
    if (decided.type !== 'error') return decided
    throw decided.retryable ? new Retryable(decided.error.message) : decided.error
  }
}

const toolCalls = (answer: ModelAnswer): object => {
  if (answer.type !== 'tool-call') return {}
  calls += 1
  return { tool_calls: [{ id: `call-${calls}`, name: answer.toolName, args: answer.input, type: 'tool_call' }] }
}
