/** A tool call as one dim line: `· memory add user: User lives in Oslo`. */
import { z } from 'zod'
import type { TurnPart } from '../conversation.ts'
import type { Paint } from './terminal.ts'
import { oneLine, wrapText } from './text.ts'

const text = z.string().catch('')

const changeSchema = z.object({ action: text, content: text, new_text: text, old_text: text })
/** The arguments of every tool that is known here; those that are missing are empty. */
const inputSchema = changeSchema.extend({
  target: text,
  operations: z.array(changeSchema).catch([]),
  name: text,
  file_path: text,
  absorbed_into: text,
  expression: text,
  page: text,
  timeZone: text,
})
const outputSchema = z.object({
  success: z.boolean().catch(true),
  held: z.boolean().catch(false),
  error: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  result: z.number().optional().catch(undefined),
  weekday: text,
  date: text,
  time: text,
  timeZone: text,
})

type Input = z.infer<typeof inputSchema>
type Output = z.infer<typeof outputSchema>

const describeMemory = ({ target, operations, ...only }: Input): string => {
  const changes = (operations.length > 0 ? operations : [only]).map(({ action, content, new_text: newText, old_text: oldText }) => {
    const texts = [oldText, content || newText].filter((part) => part !== '')
    return `${action || '?'} ${target || 'memory'}: ${oneLine(texts.join(' → '))}`
  })
  return `memory ${changes.join('; ')}`
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'make',
  edit: 'rewrite',
  patch: 'change',
  write_file: 'write',
  remove_file: 'remove',
}

const describeManage = ({ action, name, file_path: path, absorbed_into: into }: Input): string => {
  const file = /^(?:patch|write_file|remove_file)$/.test(action) && path !== '' && path !== 'SKILL.md' ? `${path} in ` : ''
  return `${VERBS[action] ?? action} ${file}the skill ${name}${action === 'archive' && into !== '' ? `, now part of ${into}` : ''}`
}

/** Empty or undefined: called in an unknown way. */
const DESCRIPTIONS: Readonly<Record<string, (input: Input, output: Output) => string>> = {
  memory: describeMemory,
  skills_list: () => 'look through the skills',
  skill_view: ({ name, file_path: path }) => name && `read ${path === '' ? '' : `${path} in `}the skill ${name}`,
  skill_manage: (input) => input.action && input.name && describeManage(input),
  calculate: ({ expression }, { result }) => expression && `calculate ${expression}${result === undefined ? '' : ` = ${result}`}`,
  read_page: ({ page }) => page && `read the page ${page}`,
  current_time: (input, { weekday, date, time, timeZone }) =>
    time === '' ? `current_time ${input.timeZone}`.trim() : `the time is ${time}, ${weekday} ${date} (${timeZone})`,
}

/** A tool that is not known here, or called in an unknown way, is described by its name and its arguments. */
const describeCall = (toolName: string, input: unknown, output: Output | undefined): string => {
  const read = inputSchema.safeParse(input).data
  const describe = Object.hasOwn(DESCRIPTIONS, toolName) ? DESCRIPTIONS[toolName] : undefined
  const known = read && describe?.(read, output ?? outputSchema.parse({}))
  return known || `${toolName} ${JSON.stringify(input) ?? ''}`
}

const describeOutcome = ({ success, held, error, message }: Output): string => {
  if (success) return ''
  return held
    ? '  held: it waits for your decision, see /memory'
    : `  not done: ${oneLine(error ?? message ?? 'the tool gave no reason', 200)}`
}

export const toolLine = (part: Exclude<TurnPart, { type: 'text' }>, columns: number, paint: Paint): string => {
  if (part.type === 'tool-failed') {
    const why = part.error instanceof Error ? part.error.message : String(part.error)
    return paint.red(oneLine(`· ${part.toolName} failed: ${why}`, columns))
  }
  const output = outputSchema.safeParse(part.output).data
  const call = oneLine(`· ${describeCall(part.toolName, part.input, output)}`, columns)
  const outcome = output === undefined ? '' : describeOutcome(output)
  return paint.dim(outcome === '' ? call : `${call}\n${wrapText(outcome, columns, '  ')}`)
}
