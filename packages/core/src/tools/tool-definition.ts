/** A tool in neutral form; adapters translate it into their framework's own. */
import type { z } from 'zod'
import type { TurnMessage } from '../proposal/turn-message.ts'

export interface ToolContext {
  /** The conversation so far, where the framework hands it over; otherwise the session's own view of the turn is used. */
  readonly messages?: readonly TurnMessage[]
  /** The id of the model's call, where the framework hands it over: tells whose call it is. */
  readonly toolCallId?: string | undefined
}

export interface ToolDefinition<Input = unknown> {
  readonly name: string
  readonly description: string
  readonly inputSchema: z.ZodType<Input>
  /** Contract: never throws and never rejects; the result is a JSON object for the model to read. */
  readonly execute: (input: Input, context?: ToolContext) => Promise<Readonly<Record<string, unknown>>>
}
