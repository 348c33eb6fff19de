/** What waits for a person's decision: finds it by its id, and shows it. */
import type { PendingProposal } from '@hermes/core'
import { cleanText, oneLine } from '../terminal/clean-text.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { CommandContext } from './command.ts'
import { describeOp, proposedLines } from './describe-op.ts'

/** Lines of a skill's text in the list; `/memory ID` shows all of them. */
const LINES_IN_LIST = 12

export const printHeld = ({ id, target, ops, reason }: PendingProposal, { terminal }: CommandContext, maxLines = LINES_IN_LIST): void => {
  const { print, paint, columns } = terminal
  print(wrapText(`  - ${ops.map((op) => describeOp(target, op)).join('; ')}`, columns, '    '))
  print(paint.dim(wrapText(`    ${oneLine(reason)} · id ${id}`, columns, '    ')))
  const lines = ops.flatMap(proposedLines).map(cleanText)
  for (const line of lines.slice(0, maxLines)) print(wrapText(`    | ${line}`, columns, '    | ').trimEnd())
  const left = lines.length - maxLines
  if (left > 0) print(paint.dim(wrapText(`    … ${left} more ${left === 1 ? 'line' : 'lines'}: /memory ${id}`, columns, '    ')))
}

/** By the first characters of its id. Undefined, and told why, where they fit none or several; `command` is what was typed. */
export const findHeld = async (
  start: string,
  command: string,
  { terminal: { print, paint, columns }, hermes }: CommandContext,
): Promise<PendingProposal | undefined> => {
  const waiting = await hermes.pending.list()
  if (!waiting.ok) {
    print(paint.red(wrapText(`What waits cannot be read: ${waiting.error.message}`, columns)))
    return undefined
  }
  const found = start === '' ? [] : waiting.value.filter(({ id }) => id.startsWith(start))
  const [only, ...more] = found
  if (only !== undefined && more.length === 0) return only
  const ids = (found.length > 0 ? found : waiting.value).map(({ id }) => id).join(', ')
  print(paint.red(wrapText(`Which one? Type /${command} and an id. ${ids === '' ? 'Nothing waits.' : `Waiting: ${ids}`}`, columns)))
  return undefined
}
