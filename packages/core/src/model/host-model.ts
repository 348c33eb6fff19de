/** The host-model port: a prompt in, text out. Adapters implement it with the model of the host. */

export interface HostModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface HostModelRequest {
  readonly purpose: 'review'
  /**
   * `digest`: `system` and `messages` are the complete request. `replay`: the adapter repeats the last request of the host (same system prompt, tools and messages,
   * to use the provider's prefix cache) and appends `messages`; `system` is empty.
   */
  readonly mode: 'digest' | 'replay'
  readonly system: string
  readonly messages: readonly HostModelMessage[]
  /** JSON Schema of the answer, for providers that accept one. The prompt describes the format as well. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly maxOutputTokens: number
  /** Aborts when the time budget is used up. */
  readonly signal: AbortSignal
}

/** Tokens of one model call, as the provider counted them. */
export interface ModelUsage {
  /** All input tokens, including cached ones. */
  readonly inputTokens?: number
  /** Input tokens that came from the provider's prefix cache. */
  readonly cachedInputTokens?: number
  readonly outputTokens?: number
}

export interface HostModelAnswer {
  /** Unparsed. */
  readonly text: string
  /** If missing, the cost of the call is estimated. */
  readonly usage?: ModelUsage
  /** The id of the model that answered, as the provider names it. */
  readonly model?: string
}

/** Contract: resolves to the unparsed text of the model, or to the text with its token usage. Rejects on failure; core reports that as an event. Must not write memory. */
export type HostModel = (request: HostModelRequest) => Promise<string | HostModelAnswer>
