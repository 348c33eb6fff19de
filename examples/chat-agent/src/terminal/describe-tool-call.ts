/** What a tool call does, in a few words: `read the skill split-bills`. */
import { z } from 'zod'
import { oneLine } from './clean-text.ts'

const text = z.string().nullish()
const isGiven = (value: string | null | undefined): value is string => value !== null && value !== undefined && value !== ''

const changeSchema = z.object({ action: text, content: text, new_text: text, old_text: text })
const memorySchema = changeSchema.extend({ target: text, operations: z.array(changeSchema).nullish() })

const describeChange = ({ action, content, new_text: newText, old_text: oldText }: z.infer<typeof changeSchema>, target: string): string =>
  `${action ?? '?'} ${target}: ${oneLine([oldText, content ?? newText].filter(isGiven).join(' → '))}`

const describeMemory = ({ target, operations, ...only }: z.infer<typeof memorySchema>): string => {
  const changes = operations && operations.length > 0 ? operations : [only]
  return `memory ${changes.map((change) => describeChange(change, target ?? 'memory')).join('; ')}`
}

const viewSchema = z.object({ name: z.string(), file_path: text })
const manageSchema = z.object({ action: z.string(), name: z.string(), file_path: text, absorbed_into: text })

const SKILL_FILE = 'SKILL.md'

const describeManage = ({ action, name, file_path: path, absorbed_into: into }: z.infer<typeof manageSchema>): string => {
  const skill = `the skill ${name}`
  const file = isGiven(path) && path !== SKILL_FILE ? `${path} in ${skill}` : skill
  switch (action) {
    case 'create':
      return `make ${skill}`
    case 'edit':
      return `rewrite ${skill}`
    case 'patch':
      return `change ${file}`
    case 'write_file':
      return `write ${file}`
    case 'remove_file':
      return `remove ${file}`
    case 'archive':
      return `archive ${skill}${isGiven(into) ? `, now part of ${into}` : ''}`
    default:
      return `${action} ${skill}`
  }
}

const sumSchema = z.object({ expression: z.string() })
const sumResultSchema = z.object({ result: z.number() })
const pageSchema = z.object({ page: z.string() })
const zoneSchema = z.object({ timeZone: text })
const timeSchema = z.object({ weekday: z.string(), date: z.string(), time: z.string(), timeZone: z.string() })

const DESCRIPTIONS: Readonly<Record<string, (input: unknown, output: unknown) => string | undefined>> = {
  memory: (input) => {
    const call = memorySchema.safeParse(input).data
    return call && describeMemory(call)
  },
  skills_list: () => 'look through the skills',
  skill_view: (input) => {
    const call = viewSchema.safeParse(input).data
    return call && `read ${isGiven(call.file_path) ? `${call.file_path} in ` : ''}the skill ${call.name}`
  },
  skill_manage: (input) => {
    const call = manageSchema.safeParse(input).data
    return call && describeManage(call)
  },
  calculate: (input, output) => {
    const sum = sumSchema.safeParse(input).data
    const worked = sumResultSchema.safeParse(output).data
    return sum && `calculate ${sum.expression}${worked ? ` = ${worked.result}` : ''}`
  },
  read_page: (input) => {
    const call = pageSchema.safeParse(input).data
    return call && `read the page ${call.page}`
  },
  current_time: (input, output) => {
    const told = timeSchema.safeParse(output).data
    return told
      ? `the time is ${told.time}, ${told.weekday} ${told.date} (${told.timeZone})`
      : `current_time ${zoneSchema.safeParse(input).data?.timeZone ?? ''}`.trim()
  },
}

/** A tool that is not known here, or called in an unknown way, is told by its name and its arguments. */
export const describeToolCall = (toolName: string, input: unknown, output: unknown): string => {
  const describe = Object.hasOwn(DESCRIPTIONS, toolName) ? DESCRIPTIONS[toolName] : undefined
  return oneLine(describe?.(input, output) ?? `${toolName} ${JSON.stringify(input) ?? ''}`)
}
