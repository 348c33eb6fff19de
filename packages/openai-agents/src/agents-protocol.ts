/**
 * The parts of `@openai/agents` that the adapter reads. Structural types, so that one adapter fits every release and every copy of the SDK; items and settings are
 * `unknown` and checked when read.
 */

/** What `withHermes` takes: a `Model` of the SDK. */
export interface AgentModel {
  getResponse(request: never): Promise<unknown>
  getStreamedResponse(request: never): AsyncIterable<unknown>
}

export interface ModelRequest extends Readonly<Record<string, unknown>> {
  readonly systemInstructions?: string | undefined
  readonly input: string | readonly unknown[]
  readonly signal?: AbortSignal | undefined
  /** A conversation that the provider stores; the input holds only what is new. */
  readonly conversationId?: string | undefined
  /** As `conversationId`, for a chain of stored responses. */
  readonly previousResponseId?: string | undefined
}

export interface ModelResponse extends Readonly<Record<string, unknown>> {
  readonly output: readonly unknown[]
}

export interface InnerModel {
  getResponse(request: ModelRequest): Promise<ModelResponse>
  getStreamedResponse(request: ModelRequest): AsyncIterable<unknown>
}
