/** Makes a tool that keeps the contract of `ToolDefinition`: whatever a model sends and whatever breaks, the answer is an object for it to read. */
import type { z } from 'zod'
import { HermesError } from '../shared/hermes-error.ts'
import type { Refusal } from './describe-failure.ts'
import type { ToolContext, ToolDefinition } from './tool-definition.ts'

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
