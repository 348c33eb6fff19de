/** The chat loop of a program without a framework: it asks a model behind an OpenAI-style endpoint, runs the tools that the model calls, and asks again. */

export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  /** `arguments`: JSON, as the model wrote it. */
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly ChatToolCall[]
  readonly tool_call_id?: string
}

export interface ChatTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly parameters: object
  readonly run: (input: unknown, call: { readonly id: string; readonly messages: readonly ChatMessage[] }) => Promise<string>
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  readonly maxTokens?: number
}

/** What a caller says beside the request; nothing of `hermes` reaches the wire. */
export interface ChatOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  readonly hermes?: { readonly user?: string; readonly tenant?: string; readonly sessionId?: string }
}

export interface ChatAnswer {
  readonly message: ChatMessage
  readonly model?: unknown
  readonly usage?: unknown
}

export type Complete = (request: ChatRequest, options?: ChatOptions) => Promise<ChatAnswer>

export const chatCompletions =
  (url: string, fetch: typeof globalThis.fetch = globalThis.fetch): Complete =>
  async ({ tools = [], maxTokens, ...request }, { signal, headers } = {}) => {
    const functions = tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }))
    const body = {
      ...request,
      ...(functions.length > 0 ? { tools: functions } : {}),
      ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    if (!response.ok) throw new Error(`The model answered with ${response.status}: ${await response.text()}`)
    const { choices, model, usage } = await response.json()
    return { message: choices[0].message, model, usage }
  }

/** What the model wrote; the text itself where it is no JSON. */
export const inputOf = (call: ChatToolCall): unknown => {
  try {
    return JSON.parse(call.function.arguments)
  } catch {
    return call.function.arguments
  }
}

const MAX_STEPS = 10

/** Answers the conversation with what was said after it. */
export const runChat = async (complete: Complete, request: ChatRequest, options?: ChatOptions): Promise<readonly ChatMessage[]> => {
  const said: ChatMessage[] = []
  for (let step = 0; step < MAX_STEPS; step++) {
    const messages = [...request.messages, ...said]
    const { message } = await complete({ ...request, messages }, options)
    said.push(message)
    if (!message.tool_calls?.length) return said
    for (const call of message.tool_calls) {
      const tool = request.tools?.find(({ name }) => name === call.function.name)
      const content = tool ? await tool.run(inputOf(call), { id: call.id, messages }) : 'There is no such tool.'
      said.push({ role: 'tool', content, tool_call_id: call.id })
    }
  }
  return said
}
