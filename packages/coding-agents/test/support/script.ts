/** What a model at 127.0.0.1 is asked, and what it answers. */

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> }

export interface ScriptedRequest {
  readonly body: Readonly<Record<string, unknown>>
  readonly system: string
  /** The text of the newest user message, results of tools included. */
  readonly last: string
  /** The texts of all user messages. */
  readonly said: string
  readonly tools: readonly string[]
  /** Whether the newest message answers a call of a tool. */
  readonly isResult: boolean
}

/** A text, or the blocks of an answer. */
export type Script = (request: ScriptedRequest) => string | readonly Block[]
