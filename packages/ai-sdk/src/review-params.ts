/** The parameters of a review call: a short call of its own (`digest`), or the host's last call followed by the request (`replay`). */
import type { HostModelMessage, HostModelRequest } from '@hermes/core'
import { markReview } from './hermes-call-options.ts'
import type { CallParams, ProviderMessage } from './provider-protocol.ts'

export interface ReviewCallOptions {
  /** HTTP headers of the host's call; reviews need them for authorisation and routing. */
  readonly headers?: unknown
  /** Provider options for reviews, such as `{ openai: { store: false } }`. */
  readonly providerOptions?: unknown
}

const toMessage = ({ role, content }: HostModelMessage): ProviderMessage => ({ role, content: [{ type: 'text', text: content }] })

/** The schema is only a hint: several providers ignore it, and the prompt says the same. */
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
 * Keeps system prompt, messages and tools of the host's call unchanged, so that the provider's prefix cache applies. Drops what would
 * prevent an answer: a response format, stop sequences, a forced tool. Tool calls in the answer are never run.
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
