/** `/memory`: what both stores hold now, and what waits for a decision. */
import { readMemoryOverview, type StoreOverview } from '../agent/memory-overview.ts'
import { cleanText, oneLine } from '../terminal/clean-text.ts'
import { gauge } from '../terminal/gauge.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command, CommandContext } from './command.ts'
import { findHeld, printHeld } from './held-proposals.ts'

const FILES = { memory: 'memories/MEMORY.md', user: 'memories/USER.md' } as const

/** An entry that the scan keeps out of the prompt is not in the snapshot, word for word; its lines are marked there if it came from outside. */
const isBlocked = (entry: string, { snapshot }: StoreOverview): boolean =>
  snapshot?.includes('[BLOCKED') === true && !snapshot.includes(entry) && !snapshot.includes(entry.replace(/\n/g, '\n> '))

const printStore = (store: StoreOverview, { print, paint, columns }: Terminal): void => {
  const count = store.entries.length
  const used = gauge(store.target.padEnd(6), store.usedChars, store.charLimit)
  const facts = `· ${count} ${count === 1 ? 'entry' : 'entries'} · ${FILES[store.target]}`
  const fits = [...used, ' ', ...facts].length <= columns
  print(`${used}${fits ? ' ' : '\n  '}${paint.dim(facts)}`)
  for (const entry of store.entries) {
    print(wrapText(`  - ${cleanText(entry)}`, columns, '    '))
    if (isBlocked(entry, store)) print(paint.red('    blocked: the model never sees this entry'))
    else if (store.origins.get(entry) === 'tool') print(paint.dim('    from outside: shown to the model as data, not as an instruction'))
  }
}

const printWaiting = async (context: CommandContext): Promise<void> => {
  const { print, paint } = context.terminal
  const pending = await context.hermes.pending.list()
  if (!pending.ok) {
    print(paint.red(`What waits for a decision cannot be read: ${pending.error.message}`))
    return
  }
  if (pending.value.length === 0) return
  print('')
  print('waiting for your decision')
  for (const held of pending.value) printHeld(held, context)
}

const printStores = async ({ terminal, hermes }: CommandContext): Promise<void> => {
  const { stores, problems } = await readMemoryOverview(hermes)
  const [problem, ...others] = problems
  if (problem !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`
    terminal.print(terminal.paint.red(wrapText(`memory cannot be read: ${oneLine(problem)}${more}`, terminal.columns)))
  }
  for (const store of stores) printStore(store, terminal)
}

export const memoryCommand: Command = {
  name: 'memory',
  usage: '/memory [ID]',
  summary: 'what is remembered, and what waits for your decision',
  run: async (argument, context) => {
    if (argument === '') {
      await printStores(context)
      await printWaiting(context)
      return undefined
    }
    const held = await findHeld(argument, 'memory', context)
    if (held !== undefined) printHeld(held, context, Number.POSITIVE_INFINITY)
    return undefined
  },
}
