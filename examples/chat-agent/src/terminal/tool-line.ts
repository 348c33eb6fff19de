/** A tool call as one dim line: `· memory add user: User lives in Oslo`. */
import { z } from 'zod'
import type { TurnPart } from '../agent/conversation.ts'
import { oneLine } from './clean-text.ts'
import { describeToolCall } from './describe-tool-call.ts'
import type { Paint } from './paint.ts'
import { wrapText } from './word-wrap.ts'

const outputSchema = z.object({
  success: z.boolean(),
  held: z.boolean().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

const describeOutput = (output: unknown): string => {
  const result = outputSchema.safeParse(output).data
  if (result === undefined || result.success) return ''
  if (result.held === true) return '  held: it waits for your decision, see /memory'
  return `  not done: ${oneLine(result.error ?? result.message ?? 'the tool gave no reason', 200)}`
}

export const toolLine = (part: Exclude<TurnPart, { type: 'text' }>, columns: number, paint: Paint): string => {
  if (part.type === 'tool-failed') {
    const why = part.error instanceof Error ? part.error.message : String(part.error)
    return paint.red(oneLine(`· ${part.toolName} failed: ${why}`, columns))
  }
  const call = oneLine(`· ${describeToolCall(part.toolName, part.input, part.output)}`, columns)
  const outcome = describeOutput(part.output)
  return paint.dim(outcome === '' ? call : `${call}\n${wrapText(outcome, columns, '  ')}`)
}
