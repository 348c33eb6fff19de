/** A chat model of LangChain that answers the steps of a script, one call each. Reviews are answered by the reviewer. */
import { REVIEW_TAG } from '@hermes/langchain'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk, BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import { type Knowledge, plainText } from '../knowledge.ts'
import type { Reviewer } from '../reviewer.ts'
import type { Step } from '../scene.ts'
import { nextId } from './surface.ts'

type Fields = {
  readonly content: string | { readonly type: string; readonly [field: string]: unknown }[]
  readonly [field: string]: unknown
}

const fieldsOf = (step: Step): Fields => {
  if (step.kind === 'call')
    return { content: '', tool_calls: [{ id: step.id ?? nextId(), name: step.name, args: { ...step.input }, type: 'tool_call' }] }
  if (step.kind === 'provider-call') {
    const id = nextId()
    return {
      content: [
        { type: 'server_tool_use', id, name: step.name, input: {} },
        { type: 'web_search_tool_result', tool_use_id: id, content: step.result },
        { type: 'text', text: step.text },
      ],
    }
  }
  const response_metadata = step.metadata === undefined ? {} : { grounding: step.metadata }
  const { sources } = step
  if (sources === undefined) return { content: step.text, response_metadata }
  const annotations = sources.map((title) => ({ type: 'url_citation', url: 'https://kelp.example', title }))
  return { content: [{ type: 'text', text: step.text, annotations }], response_metadata }
}

const textOf = ({ content }: Pick<BaseMessage, 'content'>): string => (typeof content === 'string' ? content : plainText(content))

/** A tool of LangChain does not show its description as JSON. */
const toolText = (tool: unknown): string => String(Reflect.get(Object(tool), 'description') ?? plainText(tool))

const requestOf = (messages: readonly BaseMessage[], options: unknown): string => {
  const tools: unknown = Reflect.get(Object(options), 'tools')
  return [...messages.map(textOf), ...(Array.isArray(tools) ? tools.map(toolText) : [])].join('\n')
}

export class ScriptedChatModel extends BaseChatModel {
  readonly script: Step[] = []
  readonly #reviewer: Reviewer
  readonly #knowledge: Knowledge

  constructor(reviewer: Reviewer, knowledge: Knowledge) {
    super({ maxRetries: 0 })
    this.#reviewer = reviewer
    this.#knowledge = knowledge
  }

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: unknown[]) {
    return this.withConfig({ tools } as object)
  }

  override async invoke(...[input, options]: Parameters<BaseChatModel['invoke']>): Promise<AIMessageChunk> {
    if (options?.tags?.includes(REVIEW_TAG) !== true) return super.invoke(input, options)
    const messages = (Array.isArray(input) ? input : []).filter((each) => BaseMessage.isInstance(each))
    return new AIMessageChunk(this.#reviewer.answer(requestOf(messages, options)))
  }

  #next(messages: readonly BaseMessage[], options: unknown): Fields {
    this.#knowledge.see(requestOf(messages, options))
    return fieldsOf(this.#knowledge.stepOf(this.script.shift() ?? { kind: 'say', text: 'Fine.' }))
  }

  override async _generate(messages: BaseMessage[], options: unknown): Promise<ChatResult> {
    const message = new AIMessage(this.#next(messages, options))
    return { generations: [{ text: textOf(message), message }] }
  }

  override async *_streamResponseChunks(messages: BaseMessage[], options: unknown): AsyncGenerator<ChatGenerationChunk> {
    const fields = this.#next(messages, options)
    const { content } = fields
    if (typeof content === 'string' && content.length > 7) {
      yield new ChatGenerationChunk({ text: content.slice(0, 7), message: new AIMessageChunk(content.slice(0, 7)) })
      yield new ChatGenerationChunk({ text: content.slice(7), message: new AIMessageChunk({ ...fields, content: content.slice(7) }) })
      return
    }
    const message = new AIMessageChunk(fields)
    yield new ChatGenerationChunk({ text: textOf(message), message })
  }
}
