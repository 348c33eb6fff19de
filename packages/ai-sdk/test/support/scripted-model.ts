/** A language model of specification V2, V3 or V4 whose answers are given by a function; streams its text in chunks. */

import { asRecord } from '@hermes/core/adapter'
import type { ModelAnswer, ModelCall } from '@hermes/testing'
import { toTurnMessages } from '../../src/to-turn-messages.ts'

export type Specification = 'v2' | 'v3' | 'v4'

export interface ScriptedParams {
  readonly prompt: readonly { readonly role: string; readonly content: unknown; readonly providerOptions?: unknown }[]
  readonly abortSignal?: AbortSignal
  readonly providerOptions?: unknown
  readonly responseFormat?: unknown
  readonly tools?: unknown
  readonly toolChoice?: unknown
  readonly maxOutputTokens?: number
  readonly headers?: unknown
}

export interface ScriptedModelOptions {
  readonly specification: Specification
  readonly answer: (call: ModelCall, params: ScriptedParams) => Promise<ModelAnswer>
  /** Default: a unique id. Several providers restart their ids in every answer. */
  readonly toolCallId?: () => string
  /** Makes an error that the SDK retries at once. */
  readonly retryable?: (error: Error) => Error
}

const toCall = (params: ScriptedParams): ModelCall => ({
  purpose: asRecord(asRecord(params.providerOptions)['hermes'])['purpose'] === 'review' ? 'review' : 'turn',
  system: params.prompt
    .filter((message) => message.role === 'system')
    .map((message) => String(message.content))
    .join('\n\n'),
  messages: toTurnMessages(params.prompt).map(({ role, text }) => ({ role, text })),
  signal: params.abortSignal,
})

const finishOf = (specification: Specification, reason: 'stop' | 'tool-calls') =>
  specification === 'v2' ? reason : { unified: reason, raw: reason }

const usageOf = (specification: Specification) =>
  specification === 'v2'
    ? { inputTokens: 30, outputTokens: 5, totalTokens: 35, cachedInputTokens: 20 }
    : {
        inputTokens: { total: 30, noCache: 10, cacheRead: 20, cacheWrite: undefined },
        outputTokens: { total: 5, text: 5, reasoning: undefined },
      }

let toolCalls = 0

const nextId = (): string => {
  toolCalls += 1
  return `call-${toolCalls}`
}

/** The content of an answer as the parts of a stream. */
async function* streamParts(answer: ModelAnswer, specification: Specification, toolCallId: () => string): AsyncGenerator<unknown> {
  yield { type: 'stream-start', warnings: [] }
  if (answer.type === 'tool-call') {
    yield { type: 'tool-call', toolCallId: toolCallId(), toolName: answer.toolName, input: JSON.stringify(answer.input) }
  }
  if (answer.type === 'text') {
    yield { type: 'text-start', id: '0' }
    for await (const delta of answer.chunks) yield { type: 'text-delta', id: '0', delta }
    yield { type: 'text-end', id: '0' }
  }
  yield {
    type: 'finish',
    finishReason: finishOf(specification, answer.type === 'tool-call' ? 'tool-calls' : 'stop'),
    usage: usageOf(specification),
  }
}

export const scriptedModel = ({ specification, answer, retryable = (error) => error, toolCallId = nextId }: ScriptedModelOptions) => {
  const decide = async (params: ScriptedParams): Promise<ModelAnswer> => {
    const decided = await answer(toCall(params), params)
    if (decided.type === 'error') throw decided.retryable ? retryable(decided.error) : decided.error
    return decided
  }
  return {
    specificationVersion: specification,
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    async doGenerate(params: ScriptedParams) {
      const decided = await decide(params)
      const content: unknown[] = []
      let text = ''
      for await (const part of streamParts(decided, specification, toolCallId)) {
        const { type, delta } = asRecord(part)
        if (type === 'tool-call') content.push(part)
        if (type === 'text-delta') text += String(delta)
      }
      if (decided.type === 'text') content.push({ type: 'text', text })
      const reason = decided.type === 'tool-call' ? 'tool-calls' : 'stop'
      return { content, finishReason: finishOf(specification, reason), usage: usageOf(specification), warnings: [] }
    },
    async doStream(params: ScriptedParams) {
      const parts = streamParts(await decide(params), specification, toolCallId)
      const stream = new ReadableStream<unknown>(
        {
          async pull(controller) {
            const { done, value } = await parts.next()
            if (done === true) controller.close()
            else controller.enqueue(value)
          },
        },
        { highWaterMark: 0 },
      )
      return { stream }
    },
  }
}
