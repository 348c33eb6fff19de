/** A model of the SDK whose answers are given by a function; streams its text in chunks. */
import type { ModelAnswer, ModelCall } from '@hermes/testing'
import type { AgentInputItem, Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents'
import { toItems, toTurnMessages } from '../../src/items.ts'
import type { Sdk } from './releases.ts'

export type Output = ModelResponse['output']

/** A text, or items as the SDK has them. */
type Scripted = ModelAnswer | { readonly type: 'items'; readonly output: Output }

export interface ScriptedOptions {
  readonly answer: (call: ModelCall, request: ModelRequest) => Promise<Scripted>
  /** Makes an error that the SDK retries at once. */
  readonly retryable?: (error: Error) => Error
}

export const said = (text: string): Output => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
]

let calls = 0

export const called = (name: string, input: unknown = {}): Output => {
  calls += 1
  return [{ type: 'function_call', callId: `call-${calls}`, name, status: 'completed', arguments: JSON.stringify(input) }]
}

export const isReview = ({ tracing, modelSettings }: ModelRequest): boolean => tracing === false && modelSettings.maxTokens !== undefined

const toCall = (request: ModelRequest): ModelCall => ({
  purpose: isReview(request) ? 'review' : 'turn',
  system: request.systemInstructions ?? '',
  messages: toTurnMessages(toItems(request.input)).map(({ role, text }) => ({ role, text })),
  signal: request.signal,
})

const USAGE = {
  requests: 1,
  inputTokens: 30,
  outputTokens: 5,
  totalTokens: 35,
  inputTokensDetails: [{ cached_tokens: 20 }],
  outputTokensDetails: [],
}

export const scriptedModel = ({ Usage }: Pick<Sdk, 'Usage'>, { answer, retryable = (error) => error }: ScriptedOptions): Model => {
  let responses = 0

  const decide = async (request: ModelRequest) => {
    const decided = await answer(toCall(request), request)
    if (decided.type === 'error') throw decided.retryable ? retryable(decided.error) : decided.error
    return decided
  }

  const outputOf = (decided: Exclude<Scripted, { type: 'error' }>, text: string): Output => {
    if (decided.type === 'items') return decided.output
    return decided.type === 'tool-call' ? called(decided.toolName, decided.input) : said(text)
  }

  const nextId = (): string => {
    responses += 1
    return `response-${responses}`
  }

  return {
    async getResponse(request) {
      const decided = await decide(request)
      let text = ''
      if (decided.type === 'text') for await (const chunk of decided.chunks) text += chunk
      return { usage: new Usage(USAGE), output: outputOf(decided, text), responseId: nextId(), providerData: { model: 'scripted-1' } }
    },
    async *getStreamedResponse(request): AsyncIterable<StreamEvent> {
      const decided = await decide(request)
      yield { type: 'response_started' }
      let text = ''
      if (decided.type === 'text')
        for await (const delta of decided.chunks) {
          request.signal?.throwIfAborted()
          text += delta
          yield { type: 'output_text_delta', delta }
        }
      yield { type: 'response_done', response: { id: nextId(), usage: USAGE, output: outputOf(decided, text) } } as StreamEvent
    },
  }
}

/** The texts of a request's messages. */
export const textsOf = (request: ModelRequest): readonly string[] => toTurnMessages(toItems(request.input)).map(({ text }) => text)

export const user = (text: string): AgentInputItem => ({ type: 'message', role: 'user', content: text }) as AgentInputItem
