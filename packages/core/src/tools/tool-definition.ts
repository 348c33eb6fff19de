/** A tool in neutral form; adapters translate it for their framework. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { InputSchema } from './tool-parameters.ts'

export interface ToolContext {
  /** The conversation so far, if the framework provides it; otherwise the session's own record of the turn is used. */
  readonly messages?: readonly TurnMessage[]
  /** The id of the model's call, if the framework provides it; identifies the session. */
  readonly toolCallId?: string | undefined
  /** Called if the result shows text from outside. */
  readonly onOutside?: () => void
}

/** A model's input as a tool accepts it, or what is wrong with it, in English. */
export type ToolInputCheck<Input> = { readonly success: true; readonly data: Input } | { readonly success: false; readonly error: Error }

/** Checks a model's input. */
export interface ToolInputSchema<Input = unknown> {
  /** Contract: never throws. */
  readonly safeParse: (value: unknown) => ToolInputCheck<Input>
}

export interface ToolDefinition<Input = unknown> {
  readonly name: string
  readonly description: string
  readonly inputSchema: ToolInputSchema<Input>
  /** A JSON schema of type `object`: what the model is shown. `inputSchema` may accept more. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** Contract: never throws and never rejects; the result is a JSON object for the model. */
  readonly execute: (input: Input, context?: ToolContext) => Promise<Readonly<Record<string, unknown>>>
  /** The text that the model is shown of a result. Default: its JSON. */
  readonly shownAs?: ((result: Readonly<Record<string, unknown>>) => string) | undefined
}

export type ToolResult = Readonly<Record<string, unknown>>

/** `code` and `details` as in `HermesError`. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Nothing was changed. Some refusals have further fields for the model, such as `current_entries`. */
export interface ToolRefusal {
  readonly success: false
  /** Message for the model. */
  readonly error: string
  /** True if no other call can succeed. */
  readonly done?: boolean
  /** A `HermesErrorCode`, or one of the tool's own: `held` (waits for a person, under `pending_id`), `similar`, `wiring`. */
  readonly code?: string
  readonly pending_id?: string
  readonly [fact: string]: unknown
}

export interface SafeTool<Input> {
  readonly name: string
  readonly description: string
  readonly inputSchema: InputSchema<Input>
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** A rejection is reported to the model as a failure. */
  readonly run: (input: Input, context?: ToolContext) => Promise<ToolResult>
  readonly refuse: (refusal: Refusal) => ToolResult | Promise<ToolResult>
}

/** Describes input that does not match a tool's schema, for the model. */
export const describeMisfit = ({
  issues: [issue],
}: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}): string => {
  const where = issue && issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  return `The call does not fit the tool${where}: ${issue?.message ?? 'see its parameters'}. Correct it and call again.`
}

/** For errors that are not a `HermesError`, only the fact is reported. */
export const toRefusal = (error: unknown): Refusal =>
  HermesError.isInstance(error)
    ? { code: error.code, message: error.message, details: error.details }
    : { code: 'io', message: 'The call failed for a reason that is not known.' }

/** For a deployment that replaced the files of a running process. */
export const withoutCode = (): ToolRefusal => ({
  success: false,
  done: true,
  code: 'io',
  error: 'Nothing was done: the code of this tool could not be loaded. Do not call it again in this turn; go on with the task.',
})

/** Makes a tool that keeps the contract of `ToolDefinition`: invalid input and exceptions become an answer object. */
export const safeTool = <Input>({ name, description, inputSchema, jsonSchema, run, refuse }: SafeTool<Input>): ToolDefinition => ({
  name,
  description,
  inputSchema,
  jsonSchema,
  execute: async (input, context) => {
    // Not every framework validates the model's input, and some send nothing for empty input.
    const parsed = inputSchema.safeParse(input ?? {})
    const answer = async () => {
      if (!parsed.success) return refuse({ code: 'invalid', message: describeMisfit(parsed.error) })
      try {
        return await run(parsed.data, context)
      } catch (error) {
        return refuse(toRefusal(error))
      }
    }
    return answer().catch(withoutCode)
  },
})
