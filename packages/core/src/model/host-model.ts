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

/** Contract: resolves to the model's text, unparsed. Rejects on failure; core turns that into an event. Must not write memory. */
export type HostModel = (request: HostModelRequest) => Promise<string>
