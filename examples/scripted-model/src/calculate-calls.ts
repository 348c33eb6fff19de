/** The calculate tool's name, and what it answered. */
import { z } from 'zod'
import type { ToolCall } from './tool-call.ts'

export const CALCULATE_TOOL = 'calculate'

export interface WorkedSum {
  readonly expression: string
  readonly result: number
}

const sumSchema = z.object({ expression: z.string(), result: z.number() })

/** In order; sums that could not be worked out are left out. */
export const workedSums = (calls: readonly ToolCall[]): readonly WorkedSum[] =>
  calls.flatMap(({ toolName, output }) => (toolName === CALCULATE_TOOL ? (sumSchema.safeParse(output).data ?? []) : []))

/** Why the first that failed could not be worked out, in the tool's words. */
export const sumProblem = (calls: readonly ToolCall[]): string | undefined =>
  calls.find(({ toolName, success }) => toolName === CALCULATE_TOOL && !success)?.problem
