/**
 * What the adapter reads of a language model of the AI SDK: the part that specifications V2 (ai 5), V3 (ai 6) and V4 (ai 7) have in common. Structural,
 * so one adapter fits all three; parts and options stay `unknown` and are read with care.
 */

export interface ProviderMessage {
  readonly role: string
  /** Text for a system message, parts otherwise. */
  readonly content: unknown
  readonly providerOptions?: unknown
}

export interface CallParams {
  readonly prompt: readonly ProviderMessage[]
  readonly providerOptions?: unknown
  readonly tools?: unknown
  readonly toolChoice?: { readonly type: string } | undefined
  readonly abortSignal?: AbortSignal | undefined
}

export interface GenerateResult {
  readonly content: readonly unknown[]
  /** `'stop'` (V2) or `{ unified: 'stop', raw }` (V3, V4). */
  readonly finishReason: unknown
  readonly usage: unknown
  readonly providerMetadata?: unknown
  /** `modelId`: the model that answered, as the provider names it. */
  readonly response?: unknown
  /** V4: the structured answer, where the provider gives it apart from the words around it. */
  readonly structuredOutputText?: unknown
}

export interface StreamResult {
  readonly stream: ReadableStream<unknown>
}

export interface InnerModel<Params, Generated> {
  readonly modelId?: unknown
  doGenerate(params: Params): PromiseLike<Generated>
}

export interface InnerStreamModel<Params, Streamed> {
  doStream(params: Params): PromiseLike<Streamed>
}
