/** The host-model port: words and JSON in, text out. Adapters implement it over the model the host already has. */

export interface HostModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface HostModelRequest {
  readonly purpose: 'review'
  /**
   * `digest`: `system` and `messages` are the whole request. `replay`: the adapter sends the host's own last request again (same
   * system prompt, tools and messages, so the provider's prefix cache is warm) and appends `messages`; `system` is empty.
   */
  readonly mode: 'digest' | 'replay'
  readonly system: string
  readonly messages: readonly HostModelMessage[]
  /** JSON Schema of the answer, a hint for providers that take one; the words of the prompt already say it. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly maxOutputTokens: number
  /** Fires when the review's time budget is used up. */
  readonly signal: AbortSignal
}

/** Tokens of one model call, as the provider counted them. */
export interface ModelUsage {
  /** The whole input, what came from a cache included. */
  readonly inputTokens?: number
  /** The part of the input that the provider's prefix cache served. */
  readonly cachedInputTokens?: number
  readonly outputTokens?: number
}

export interface HostModelAnswer {
  /** Unparsed. */
  readonly text: string
  /** Without it, the cost of the call is estimated. */
  readonly usage?: ModelUsage
  /** The id of the model that answered, as the provider names it. */
  readonly model?: string
}

/**
 * Contract: resolves to the model's text, unparsed, or to the text with what the call used. Rejects on failure; core turns that into an event. Must not write
 * memory.
 */
export type HostModel = (request: HostModelRequest) => Promise<string | HostModelAnswer>
