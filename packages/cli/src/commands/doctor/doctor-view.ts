/** Shows each check in one line, with what to do below it. */
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import type { Paint, Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'

const STATUS_WIDTH = 7
const ID_WIDTH = 11
const INDENT = STATUS_WIDTH + ID_WIDTH + 4

const paintOf = (status: CheckStatus, { green, yellow, red }: Paint): ((text: string) => string) =>
  status === 'ok' ? green : status === 'warning' ? yellow : red

const below = (text: string, { columns }: Terminal, paint: (text: string) => string): string =>
  `${' '.repeat(INDENT)}${paint(wrapText(cleanText(text), columns, INDENT))}\n`

const renderCheck = ({ id, status, found, fix, details = [] }: Check, verbose: boolean, terminal: Terminal): string => {
  const { paint, columns } = terminal
  const head = `${paintOf(status, paint)(status.padEnd(STATUS_WIDTH))}  ${paint.bold(id.padEnd(ID_WIDTH))}  ${wrapText(cleanText(found), columns, INDENT)}\n`
  const todo = fix === undefined ? '' : below(fix, terminal, (text) => text)
  return head + todo + (verbose ? details.map((line) => below(line, terminal, paint.dim)).join('') : '')
}

export const countChecks = (checks: readonly Check[]): Readonly<Record<CheckStatus, number>> => {
  const count = (status: CheckStatus): number => checks.filter((check) => check.status === status).length
  return { ok: count('ok'), warning: count('warning'), problem: count('problem') }
}

export const renderChecks = (checks: readonly Check[], verbose: boolean, terminal: Terminal): string => {
  const { ok, warning, problem } = countChecks(checks)
  const summary = `${ok} ok, ${counted(warning, 'warning')}, ${counted(problem, 'problem')}.`
  const more = !verbose && checks.some(({ details = [] }) => details.length > 0) ? ' --verbose shows the details.' : ''
  return `${checks.map((check) => renderCheck(check, verbose, terminal)).join('')}${hint(summary + more, terminal)}`
}

export type CheckStatus = 'ok' | 'warning' | 'problem'

export interface Check {
  /** Fixed, for programs. */
  readonly id: string
  readonly status: CheckStatus
  /** What was found. */
  readonly found: string
  /** What to do; undefined if there is nothing to do. */
  readonly fix?: string | undefined
  /** One line for each of several findings. */
  readonly details?: readonly string[] | undefined
}

/** Never writes, and never throws for what can be wrong with a home. */
export type Examine = (context: Context) => Promise<Check>

type Words = Pick<Check, 'fix' | 'details'>

export const fine = (id: string, found: string, words: Words = {}): Check => ({ id, status: 'ok', found, ...words })
export const warning = (id: string, found: string, words: Words = {}): Check => ({ id, status: 'warning', found, ...words })
export const problem = (id: string, found: string, words: Words = {}): Check => ({ id, status: 'problem', found, ...words })
