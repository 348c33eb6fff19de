/** The call that asks a model for its review: a short one of its own (`digest`), or the host's last call once more with the request behind it (`replay`). */
import type { HostModelMessage, HostModelRequest } from '@hermes/core'
import { markReview } from './hermes-call-options.ts'
import type { CallParams, ProviderMessage } from './provider-protocol.ts'

export interface ReviewCallOptions {
  /** HTTP headers of the host's call: authorisation and routing must hold for the review too. */
  readonly headers?: unknown
  /** Provider options for reviews, such as `{ openai: { store: false } }`. */
  readonly providerOptions?: unknown
}

const toMessage = ({ role, content }: HostModelMessage): ProviderMessage => ({ role, content: [{ type: 'text', text: content }] })

/** The schema is a hint: several providers drop it, and the words of the prompt say the same. */
export const digestParams = (request: HostModelRequest, { headers, providerOptions }: ReviewCallOptions): CallParams => {
  const system: readonly ProviderMessage[] = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  const params = {
    prompt: [...system, ...request.messages.map(toMessage)],
    maxOutputTokens: request.maxOutputTokens,
    responseFormat: { type: 'json', name: 'review', schema: request.schema },
    abortSignal: request.signal,
    providerOptions: markReview(providerOptions),
    ...(headers === undefined ? {} : { headers }),
  }
  return params
}

/**
 * The host's own call as it was sent, so that the provider's prefix cache is warm: system prompt, messages and tools unchanged. What would keep the model
 * from answering is let go: a response format, stop sequences, a forced tool. Tool calls it answers with are never run.
 */
export const replayParams = (host: CallParams, reply: string, request: HostModelRequest, providerOptions?: unknown): CallParams => {
  const {
    responseFormat: _format,
    stopSequences: _stops,
    ...kept
  }: CallParams & { responseFormat?: unknown; stopSequences?: unknown } = host
  const said: readonly ProviderMessage[] = reply === '' ? [] : [toMessage({ role: 'assistant', content: reply })]
  const forced = host.toolChoice?.type === 'required' || host.toolChoice?.type === 'tool'
  const params = {
    ...kept,
    ...(forced ? { toolChoice: { type: 'auto' } } : {}),
    prompt: [...host.prompt, ...said, ...request.messages.map(toMessage)],
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: request.signal,
    providerOptions: markReview({ ...asOptions(host.providerOptions), ...asOptions(providerOptions) }),
  }
  return params
}

const asOptions = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})
