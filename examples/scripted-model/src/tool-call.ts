/** The tool calls of a chat with what came of them, read back out of a prompt. */
import { z } from 'zod'
import type { ProviderMessage, ProviderPrompt } from '../model/provider-spec.ts'

export interface ToolCall {
  readonly toolName: string
  readonly input: unknown
  /** The tool's answer: data or text; undefined where it failed. */
  readonly output: unknown
  readonly success: boolean
  /** Why not, in the tool's words; empty on success. */
  readonly problem: string
}

const resultSchema = z.object({
  success: z.boolean().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

type Outcome = Omit<ToolCall, 'input'>

const outcomes = (message: ProviderMessage | undefined): ReadonlyMap<string, Outcome> => {
  const found = new Map<string, Outcome>()
  if (message?.role !== 'tool') return found
  for (const part of message.content) {
    if (part.type !== 'tool-result') continue
    const { output } = part
    const value = output.type === 'json' ? resultSchema.safeParse(output.value).data : undefined
    const success = output.type === 'json' ? value?.success !== false : output.type === 'text'
    const problem = value?.error ?? value?.message ?? (output.type === 'error-text' ? output.value : 'the tool failed')
    const data: unknown = output.type === 'json' || output.type === 'text' ? output.value : undefined
    found.set(part.toolCallId, { toolName: part.toolName, output: data, success, problem: success ? '' : problem })
  }
  return found
}

/** In order. A call without a result is left out: nobody knows what came of it. */
export const toolCalls = (prompt: ProviderPrompt): readonly ToolCall[] =>
  prompt.flatMap((message, index): readonly ToolCall[] => {
    if (message.role !== 'assistant') return []
    const results = outcomes(prompt[index + 1])
    return message.content.flatMap((part): readonly ToolCall[] => {
      const outcome = part.type === 'tool-call' ? results.get(part.toolCallId) : undefined
      return part.type === 'tool-call' && outcome ? [{ ...outcome, input: part.input }] : []
    })
  })
