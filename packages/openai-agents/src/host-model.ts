/** Implements the host-model port of core with a model of the SDK, so that reviews use the host's own model. */
import type { HostModel, HostModelMessage } from '@hermes/core'
import { asList, asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import type { AgentModel, InnerModel, ModelRequest } from './agents-protocol.ts'
import { answerText, toItems } from './items.ts'

/** The host's last call and its output, for `replay`; without it every review is a digest. */
export interface HostCall {
  readonly sent: ModelRequest
  readonly output: readonly unknown[]
}

const toItem = ({ role, content }: HostModelMessage) =>
  role === 'user'
    ? { type: 'message', role, content }
    : { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text: content }] }

/** Cached tokens are counted in one record, or in one for each request. */
export const usageOf = (value: unknown) => {
  const { inputTokens, outputTokens, inputTokensDetails: details } = asRecord(value)
  const cached = (Array.isArray(details) ? asList(details) : [details])
    .map((each) => asRecord(each)['cached_tokens'])
    .filter((count) => typeof count === 'number')
  return toModelUsage({
    inputTokens,
    outputTokens,
    cachedInputTokens: cached.length === 0 ? undefined : cached.reduce((sum, count) => sum + count, 0),
  })
}

/**
 * A reviewer of any model of the SDK: `createHermes({ review: { model: hostModel(model) } })`. `settings`: model settings of the SDK for reviews, such as
 * `{ store: false }`. Calls the model once for each review, untraced and with the review's own signal; rejects if the model does, which core turns into an event.
 */
export const hostModel = (model: AgentModel, settings: Readonly<Record<string, unknown>> = {}, last?: HostCall): HostModel => {
  const inner = model as unknown as InnerModel
  return async ({ mode, system, messages, maxOutputTokens, signal }) => {
    const asked = messages.map(toItem)
    const plain = { tracing: false, outputType: 'text', signal }
    const request =
      mode === 'replay' && last !== undefined ? replay(last, asked) : { systemInstructions: system, input: asked, tools: [], handoffs: [] }
    const modelSettings = { ...asRecord(asRecord(request)['modelSettings']), maxTokens: maxOutputTokens, ...settings }
    const answer = await inner.getResponse({ ...request, ...plain, modelSettings } as ModelRequest)
    const text = answer.output
      .map(asRecord)
      .filter(({ role }) => role === 'assistant')
      .map(answerText)
      .join('')
    const [usage, id] = [usageOf(answer.usage), asText(asRecord(answer.providerData)['model'])]
    return { text, ...(usage ? { usage } : {}), ...(id === '' ? {} : { model: id }) }
  }
}

/** Keeps instructions, input and tools of the host's call, so that the provider's prefix cache applies. Tool calls in the answer are never run. */
const replay = ({ sent, output }: HostCall, asked: readonly object[]): ModelRequest => {
  if (sent.conversationId !== undefined)
    throw new TypeError(
      "A conversation that the provider stores cannot be replayed, as the review would become a part of it. Use review: { mode: 'digest' }.",
    )
  const { toolChoice, ...settings } = asRecord(sent.modelSettings)
  const kept = toolChoice === undefined ? settings : { ...settings, toolChoice: toolChoice === 'none' ? 'none' : 'auto' }
  return { ...sent, modelSettings: kept, input: [...toItems(sent.input), ...output, ...asked] }
}
