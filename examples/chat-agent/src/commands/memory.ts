/** `/memory` shows what both stores hold and what waits for a decision; `/approve` and `/reject` decide it. */
import type { MemoryStore, PendingProposal } from '@hermes/core'
import { type Terminal, tell } from '@hermes/example-chat-parts/terminal'
import { cleanText, oneLine } from '@hermes/example-chat-parts/text'
import { describeOp, proposedLines } from '../describe-op.ts'
import { describeChoice, plainReason, shortId } from '../describe-review.ts'
import { storeGauge } from '../header.ts'
import type { Command, CommandContext } from './command.ts'

const FILES = { memory: 'memories/MEMORY.md', user: 'memories/USER.md' } as const

/** Lines of a skill's text in the list; `/memory ID` shows all of them. */
const LINES_IN_LIST = 12

const printStore = (store: MemoryStore, target: 'memory' | 'user', terminal: Terminal): void => {
  const { print, paint, columns } = terminal
  const entries = store.entries(target)
  const used = storeGauge(store, target, 6)
  const facts = `· ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'} · ${FILES[target]}`
  print(`${used}${[...used, ' ', ...facts].length <= columns ? ' ' : '\n  '}${paint.dim(facts)}`)
  const snapshot = store.renderSnapshot(target) ?? ''
  for (const entry of entries) {
    tell(terminal, `  - ${cleanText(entry)}`, '    ')
    // What the scan blocks is not in the snapshot, word for word; the lines of an entry from outside are marked there.
    const isShown = snapshot.includes(entry) || snapshot.includes(entry.replace(/\n/g, '\n> ')) || !snapshot.includes('[BLOCKED')
    if (!isShown) print(paint.red('    blocked: the model never sees this entry'))
    else if (store.origins(target).get(entry) === 'tool')
      print(paint.dim('    from outside: shown to the model as data, not as an instruction'))
  }
}

const describeOps = ({ target, ops }: PendingProposal): string => ops.map((op) => describeOp(target, op)).join('; ')

const printHeld = (held: PendingProposal, terminal: Terminal, maxLines = LINES_IN_LIST): void => {
  tell(terminal, `  - ${describeOps(held)}`, '    ')
  tell(terminal, `    ${plainReason(held.reason)}`, '    ', 'dim')
  terminal.print(terminal.paint.dim(`    ${describeChoice(held.id)}`))
  const lines = held.ops.flatMap(proposedLines).map(cleanText)
  for (const line of lines.slice(0, maxLines)) tell(terminal, `    | ${line}`.trimEnd(), '    | ')
  const left = lines.length - maxLines
  if (left > 0) tell(terminal, `    … ${left} more ${left === 1 ? 'line' : 'lines'}: /memory ${shortId(held.id)}`, '    ', 'dim')
}

/** By the first characters of its id. If they fit none or several, says so. `command`: what was typed. */
const findHeld = async (start: string, command: string, { terminal, hermes }: CommandContext): Promise<PendingProposal | undefined> => {
  const waiting = await hermes.pending.list()
  if (!waiting.ok) {
    tell(terminal, `What waits cannot be read: ${waiting.error.message}`, '', 'red')
    return undefined
  }
  const found = start === '' ? [] : waiting.value.filter(({ id }) => id.startsWith(start))
  if (found.length === 1) return found[0]
  const listed = found.length > 0 ? found : waiting.value
  const problem =
    start === '' ? '' : found.length > 0 ? `Several ids begin with '${start}'. ` : `Nothing that waits has the id '${start}'. `
  tell(terminal, `${problem}${listed.length === 0 ? 'Nothing waits for a decision.' : `Type /${command} and one of these ids:`}`, '', 'red')
  for (const held of listed) tell(terminal, `  ${shortId(held.id)}  ${describeOps(held)}`, '            ')
  return undefined
}

const printAll = async ({ terminal, hermes }: CommandContext): Promise<void> => {
  const { print, paint } = terminal
  const store = hermes.memoryStore()
  await store.load()
  const [problem, ...others] = new Set(store.loadProblems().map(({ message }) => oneLine(message)))
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  if (problem !== undefined) tell(terminal, `memory cannot be read: ${problem}${more}`, '', 'red')
  for (const target of ['memory', 'user'] as const) printStore(store, target, terminal)
  const pending = await hermes.pending.list()
  if (!pending.ok) print(paint.red(`What waits for a decision cannot be read: ${pending.error.message}`))
  else if (pending.value.length > 0) {
    print('\nwaiting for your decision')
    for (const held of pending.value) printHeld(held, terminal)
  }
}

export const memoryCommand: Command = {
  usage: '/memory [ID]',
  summary: 'what is remembered, and what waits for your decision',
  run: async (argument, context) => {
    if (argument === '') return printAll(context)
    const held = await findHeld(argument, 'memory', context)
    if (held !== undefined) printHeld(held, context.terminal, Number.POSITIVE_INFINITY)
  },
}

const decideCommand = (decision: 'approve' | 'reject', done: string, summary: string): Command => ({
  usage: `/${decision} ID`,
  summary,
  run: async (argument, context) => {
    const held = await findHeld(argument, decision, context)
    if (held === undefined) return
    const decided = await context.hermes.pending[decision](held.id)
    if (decided.ok) tell(context.terminal, `${done}: ${describeOps(held)}`, '  ')
    else tell(context.terminal, oneLine(decided.error.message), '', 'red')
  },
})

export const approveCommand = decideCommand('approve', 'approved', 'write what waits for your decision')
export const rejectCommand = decideCommand('reject', 'rejected', 'drop what waits for your decision')
