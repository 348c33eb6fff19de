/** A tool call as one dim line: `· memory add user: User lives in Oslo`. */
import { z } from 'zod'
import type { TurnPart } from '../agent/conversation.ts'
import { oneLine } from './clean-text.ts'
import type { Paint } from './paint.ts'
import { wrapText } from './word-wrap.ts'

const changeSchema = z.object({
  action: z.string().nullish(),
  content: z.string().nullish(),
  new_text: z.string().nullish(),
  old_text: z.string().nullish(),
})
const memoryInputSchema = changeSchema.extend({ target: z.string().nullish(), operations: z.array(changeSchema).nullish() })
const outputSchema = z.object({
  success: z.boolean(),
  held: z.boolean().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

const describeChange = ({ action, content, new_text: newText, old_text: oldText }: z.infer<typeof changeSchema>): string => {
  const texts = [oldText, content ?? newText].filter((text) => text !== null && text !== undefined && text !== '')
  return `${action ?? '?'}: ${oneLine(texts.join(' → '))}`
}

const describeInput = (toolName: string, input: unknown): string => {
  const memory = toolName === 'memory' ? memoryInputSchema.safeParse(input).data : undefined
  if (memory === undefined) return oneLine(JSON.stringify(input) ?? '')
  const target = memory.target ?? 'memory'
  const changes = memory.operations && memory.operations.length > 0 ? memory.operations : [memory]
  return changes.map((change) => describeChange(change).replace(':', ` ${target}:`)).join('; ')
}

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
  const call = oneLine(`· ${part.toolName} ${describeInput(part.toolName, part.input)}`, columns)
  const outcome = describeOutput(part.output)
  return paint.dim(outcome === '' ? call : `${call}\n${wrapText(outcome, columns, '  ')}`)
}
