/** A tool in neutral form; adapters translate it into their framework's own. */
import type * as z from 'zod'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { Refusal } from './describe-failure.ts'

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

export type ToolResult = Readonly<Record<string, unknown>>

export interface SafeTool<Input> {
  readonly name: string
  readonly description: string
  readonly inputSchema: z.ZodType<Input>
  /** What it rejects with is told to the model as a failure. */
  readonly run: (input: Input, context?: ToolContext) => Promise<ToolResult>
  readonly refuse: (refusal: Refusal) => ToolResult
}

/** What does not fit a tool's schema, in words for the model. */
export const describeMisfit = ({ issues: [issue] }: z.ZodError): string => {
  const where = issue && issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  return `The call does not fit the tool${where}: ${issue?.message ?? 'see its parameters'}. Correct it and call again.`
}

/** Of an error that is not ours nothing but the fact is passed on. */
export const toRefusal = (error: unknown): Refusal =>
  HermesError.isInstance(error)
    ? { code: error.code, message: error.message, details: error.details }
    : { code: 'io', message: 'The call failed for a reason that is not known.' }

/** Makes a tool that keeps the contract of `ToolDefinition`: whatever a model sends and whatever breaks, the answer is an object for it to read. */
export const safeTool = <Input>({ name, description, inputSchema, run, refuse }: SafeTool<Input>): ToolDefinition => ({
  name,
  description,
  inputSchema,
  execute: async (input, context) => {
    // Not every framework checks what the model sent, and some send nothing where there is nothing to say.
    const parsed = inputSchema.safeParse(input ?? {})
    if (!parsed.success) return refuse({ code: 'invalid', message: describeMisfit(parsed.error) })
    try {
      return await run(parsed.data, context)
    } catch (error) {
      return refuse(toRefusal(error))
    }
  },
})
