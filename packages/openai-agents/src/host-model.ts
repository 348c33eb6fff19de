/** Implements the host-model port of core with a model of the SDK, so that reviews use the host's own model. */
import type { HostModel, HostModelMessage } from '@hermes/core'
import { asCount, asRecord, asText, toModelUsage } from '@hermes/core/adapter'
import type { AgentModel, InnerModel, ModelRequest } from './agents-protocol.ts'
import { answerText, toItems } from './items.ts'

/** The host's last call and its output, for `replay`; without it every review is a digest. */
export interface HostCall {
  readonly sent: ModelRequest
  readonly output: readonly unknown[]
}

const toItem = ({ role, content: text }: HostModelMessage): object =>
  role === 'user'
    ? { type: 'message', role, content: text }
    : { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] }

/** Cached tokens are counted in one record, or in one for each request. */
export const usageOf = (value: unknown) => {
  const { inputTokens, outputTokens, inputTokensDetails } = asRecord(value)
  const cached = [inputTokensDetails].flat().flatMap((each) => asCount(asRecord(each)['cached_tokens']) ?? [])
  const cachedInputTokens = cached.length > 0 ? cached.reduce((sum, count) => sum + count) : undefined
  return toModelUsage({ inputTokens, outputTokens, cachedInputTokens })
}

/** Keeps instructions, input and tools of the host's call, so that the provider's prefix cache applies. Tool calls in the answer are never run. */
const replay = ({ sent, output }: HostCall, asked: readonly object[]): ModelRequest => {
  if (sent.conversationId !== undefined)
    throw new TypeError(
      "A conversation that the provider stores cannot be replayed, as the review would become a part of it. Use review: { mode: 'digest' }.",
    )
  // A forced tool would keep the model from answering.
  const { toolChoice: _, ...modelSettings } = asRecord(sent['modelSettings'])
  return { ...sent, modelSettings, input: [...toItems(sent.input), ...output, ...asked] }
}

/**
 * A reviewer of any model of the SDK: `createHermes({ review: { model: hostModel(model) } })`. `settings`: model settings of the SDK for reviews, such as
 * `{ store: false }`. Calls the model once for each review, untraced and with the review's own signal; rejects if the model does, which core turns into an event.
 */
export const hostModel =
  (model: AgentModel, settings: Readonly<Record<string, unknown>> = {}, last?: HostCall): HostModel =>
  async ({ mode, system, messages, maxOutputTokens, signal }) => {
    const asked = messages.map(toItem)
    const digest: ModelRequest = { systemInstructions: system, input: asked, tools: [], handoffs: [] }
    const request = mode === 'replay' && last !== undefined ? replay(last, asked) : digest
    const modelSettings = { ...asRecord(request.modelSettings), maxTokens: maxOutputTokens, ...settings }
    const inner = model as unknown as InnerModel
    const answer = await inner.getResponse({ ...request, modelSettings, tracing: false, outputType: 'text', signal })
    const said = answer.output.map(asRecord).filter(({ role }) => role === 'assistant')
    const [usage, id] = [usageOf(answer.usage), asText(asRecord(answer.providerData)['model'])]
    return { text: said.map(answerText).join(''), ...(usage ? { usage } : {}), ...(id === '' ? {} : { model: id }) }
  }
