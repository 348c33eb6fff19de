/** A small framework: it asks a model, runs the tools that the model calls, and asks again. */
import type { OwnerId } from '@hermes/core/portability'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Of the assistant. */
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  /** Of a tool's result. */
  readonly toolName?: string
}

export interface ChatTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly parameters: object
  readonly run: (input: unknown, call: { readonly id: string; readonly messages: readonly ChatMessage[] }) => Promise<string>
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
}

export interface ChatOptions {
  readonly signal?: AbortSignal
  readonly purpose?: 'turn' | 'review'
  readonly owner?: OwnerId
  readonly sessionId?: string
}

/** One call of the model. */
export type Complete = (request: ChatRequest, options?: ChatOptions) => Promise<ChatMessage>

const MAX_STEPS = 10

/** Resolves to what was said after the messages of the request. */
export const runChat = async (complete: Complete, { messages, tools = [] }: ChatRequest, options?: ChatOptions) => {
  const said: ChatMessage[] = []
  for (let step = 0; step < MAX_STEPS; step++) {
    const shown = [...messages, ...said]
    const answer = await complete({ messages: shown, tools }, options)
    said.push(answer)
    if (!answer.toolCalls?.length) break
    for (const { id, name, input } of answer.toolCalls) {
      const tool = tools.find((each) => each.name === name)
      const text = tool ? await tool.run(input, { id, messages: shown }) : 'There is no such tool.'
      said.push({ role: 'tool', text, toolName: name })
    }
  }
  return said
}
