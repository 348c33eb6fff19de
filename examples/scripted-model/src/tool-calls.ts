/** The tools that the stand-in knows, and what their calls in a chat came to. */
import { z } from 'zod'

export const CALCULATE_TOOL = 'calculate'
export const MEMORY_TOOL = 'memory'
export const SKILL_VIEW_TOOL = 'skill_view'
export const SKILLS_LIST_TOOL = 'skills_list'
export const SKILL_MANAGE_TOOL = 'skill_manage'

/** A call that was answered. */
export interface ToolCall {
  readonly toolName: string
  readonly input: unknown
  /** The tool's answer: data or text; undefined if it failed. */
  readonly output: unknown
  readonly success: boolean
  /** Why not, in the tool's words; empty on success. */
  readonly problem: string
}

const outcomeSchema = z.object({ success: z.boolean().optional(), error: z.string().optional(), message: z.string().optional() })

/** `output`: what the tool returned, data or text. */
export const toToolCall = (toolName: string, input: unknown, output: unknown): ToolCall => {
  const { success, error, message } = outcomeSchema.safeParse(output).data ?? {}
  return { toolName, input, output, success: success !== false, problem: success === false ? (error ?? message ?? 'the tool failed') : '' }
}

const memoryInputSchema = z.object({
  action: z.enum(['add', 'replace', 'remove']),
  target: z.enum(['memory', 'user']),
  content: z.string().optional(),
  old_text: z.string().optional(),
})

export type MemoryToolInput = z.infer<typeof memoryInputSchema>

/** Undefined: the arguments of some other tool, or of another model. */
export const readMemoryToolInput = (input: unknown): MemoryToolInput | undefined => memoryInputSchema.safeParse(input).data

const sumSchema = z.object({ expression: z.string(), result: z.number() })

/** In order, without the sums that could not be worked out. */
export const workedSums = (calls: readonly ToolCall[]): readonly z.infer<typeof sumSchema>[] =>
  calls.flatMap(({ toolName, output }) => (toolName === CALCULATE_TOOL ? (sumSchema.safeParse(output).data ?? []) : []))

/** Why the first sum that failed could not be worked out, in the tool's words. */
export const sumProblem = (calls: readonly ToolCall[]): string | undefined =>
  calls.find(({ toolName, success }) => toolName === CALCULATE_TOOL && !success)?.problem

const viewSchema = z.object({ name: z.string(), file_path: z.string().nullish() })
const contentSchema = z.object({ content: z.string() })

/** The newest text of each skill that was read; support files do not count. */
export const skillsRead = (calls: readonly ToolCall[]): ReadonlyMap<string, string> =>
  new Map(
    calls.flatMap(({ toolName, input, output, success }): readonly (readonly [string, string])[] => {
      const asked = toolName === SKILL_VIEW_TOOL && success ? viewSchema.safeParse(input).data : undefined
      const shown = asked && !asked.file_path ? contentSchema.safeParse(output).data : undefined
      return asked && shown ? [[asked.name, shown.content]] : []
    }),
  )
