/**
 * The parts of a language model of the AI SDK that the adapter reads: those that the specifications V2 (ai 5), V3 (ai 6) and V4 (ai 7)
 * share. Structural types, so that one adapter fits all three; parts and options are `unknown` and checked when read.
 */

export interface ProviderMessage {
  readonly role: string
  /** A string for a system message, otherwise parts. */
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
  /** `modelId`: the model that answered, as named by the provider. */
  readonly response?: unknown
  /** V4: the structured answer, if the provider returns it apart from the text. */
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
