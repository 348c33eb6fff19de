/** A tool call as one dim line: `· memory add user: User lives in Oslo`. */

import type { TurnPart } from '@hermes/example-chat-parts/stream-turns'
import type { Paint } from '@hermes/example-chat-parts/terminal'
import { oneLine, wrapText } from '@hermes/example-chat-parts/text'
import { describeChoice, plainReason } from './describe-review.ts'

type Fields = Readonly<Record<string, unknown>>

/** Of anything that a model or a tool may have sent. */
const fieldsOf = (value: unknown): Fields => Object(value)
/** Empty if it is missing or no text. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const describeMemory = (input: Fields): string => {
  const changes = Array.isArray(input['operations']) && input['operations'].length > 0 ? input['operations'].map(fieldsOf) : [input]
  const described = changes.map((change) => {
    const texts = [text(change['old_text']), text(change['content']) || text(change['new_text'])].filter((part) => part !== '')
    return `${text(change['action']) || '?'} ${text(input['target']) || 'memory'}: ${oneLine(texts.join(' → '))}`
  })
  return `memory ${described.join('; ')}`
}

const VERBS: Fields = { create: 'make', edit: 'rewrite', patch: 'change', write_file: 'write', remove_file: 'remove' }

const describeManage = ({ action, name, file_path: path, absorbed_into: into }: Fields): string => {
  const file = /^(?:patch|write_file|remove_file)$/.test(text(action)) && text(path) && path !== 'SKILL.md' ? `${path} in ` : ''
  return `${VERBS[text(action)] ?? action} ${file}the skill ${name}${action === 'archive' && text(into) ? `, now part of ${into}` : ''}`
}

/** Empty: called in an unknown way. */
const DESCRIPTIONS: Readonly<Record<string, (input: Fields, output: Fields) => string>> = {
  memory: describeMemory,
  skills_list: () => 'look through the skills',
  skill_view: ({ name, file_path: path }) => text(name) && `read ${text(path) && `${path} in `}the skill ${name}`,
  skill_manage: (input) => text(input['action']) && text(input['name']) && describeManage(input),
  calculate: ({ expression }, { result }) => text(expression) && `calculate ${expression}${result === undefined ? '' : ` = ${result}`}`,
  read_page: ({ page }) => text(page) && `read the page ${page}`,
  read_file: ({ path }) => text(path) && `read the file ${path}`,
  current_time: (input, { weekday, date, time, timeZone }) =>
    text(time) ? `the time is ${time}, ${weekday} ${date} (${timeZone})` : `current_time ${text(input['timeZone'])}`.trim(),
}

/** The tool tells the model why in brackets, among what the model should do. */
const WHY_HELD = /change waits \((.*)\)\. A later review/s

const describeOutcome = ({ success, code, error, message, pending_id: id }: Fields): string => {
  if (success !== false) return ''
  const why = plainReason(WHY_HELD.exec(text(error))?.[1] ?? 'It waits for your approval.')
  if (code === 'held') return `\nheld: ${why}\n${describeChoice(text(id) || undefined)}`.trimEnd()
  return `\nnot done: ${oneLine(text(error) || text(message) || 'the tool gave no reason', 200)}`
}

/** A tool that is not known here, or called in an unknown way, is described by its name and its arguments. */
export const toolLine = (part: Exclude<TurnPart, { type: 'text' }>, columns: number, paint: Paint): string => {
  if (part.type === 'tool-failed') {
    const why = part.error instanceof Error ? part.error.message : String(part.error)
    return paint.red(oneLine(`· ${part.toolName} failed: ${why}`, columns))
  }
  const { toolName, input, output } = part
  const describe = Object.hasOwn(DESCRIPTIONS, toolName) ? DESCRIPTIONS[toolName] : undefined
  const call = describe?.(fieldsOf(input), fieldsOf(output)) || `${toolName} ${JSON.stringify(input) ?? ''}`
  const outcome = describeOutcome(fieldsOf(output))
  return paint.dim(oneLine(`· ${call}`, columns)) + paint[outcome.startsWith('\nheld') ? 'yellow' : 'dim'](wrapText(outcome, columns, '  '))
}
