/** `/memory`: what both stores hold now, and what waits for a decision. */
import { readMemoryOverview, type StoreOverview } from '../agent/memory-overview.ts'
import { cleanText, oneLine } from '../terminal/clean-text.ts'
import { gauge } from '../terminal/gauge.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command, CommandContext } from './command.ts'
import { describeOp } from './describe-op.ts'

const FILES = { memory: 'memories/MEMORY.md', user: 'memories/USER.md' } as const

/** An entry that the scan keeps out of the prompt is not in the snapshot, word for word; its lines are marked there if it came from outside. */
const isBlocked = (entry: string, { snapshot }: StoreOverview): boolean =>
  snapshot?.includes('[BLOCKED') === true && !snapshot.includes(entry) && !snapshot.includes(entry.replace(/\n/g, '\n> '))

const printStore = (store: StoreOverview, { print, paint, columns }: Terminal): void => {
  const count = store.entries.length
  print(
    `${gauge(store.target.padEnd(6), store.usedChars, store.charLimit)} ${paint.dim(`· ${count} ${count === 1 ? 'entry' : 'entries'} · ${FILES[store.target]}`)}`,
  )
  for (const entry of store.entries) {
    print(wrapText(`  - ${cleanText(entry)}`, columns, '    '))
    if (isBlocked(entry, store)) print(paint.red('    blocked: the model never sees this entry'))
    else if (store.origins.get(entry) === 'tool') print(paint.dim('    from outside: shown to the model as data, not as an instruction'))
  }
}

const printHeld = async ({ terminal, hermes }: CommandContext): Promise<void> => {
  const { print, paint, columns } = terminal
  const pending = await hermes.pending.list()
  if (!pending.ok) {
    print(paint.red(`What waits for a decision cannot be read: ${pending.error.message}`))
    return
  }
  if (pending.value.length === 0) return
  print('')
  print('waiting for your decision')
  for (const { id, target, ops, reason } of pending.value) {
    print(wrapText(`  - ${ops.map((op) => describeOp(target, op)).join('; ')}`, columns, '    '))
    print(paint.dim(wrapText(`    ${oneLine(reason)} · id ${id}`, columns, '    ')))
  }
}

export const memoryCommand: Command = {
  name: 'memory',
  usage: '/memory',
  summary: 'what is remembered, and what waits for your decision',
  run: async (_argument, context) => {
    const { terminal, hermes } = context
    const { stores, problems } = await readMemoryOverview(hermes)
    const [problem, ...others] = problems
    if (problem !== undefined) {
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`
      terminal.print(terminal.paint.red(wrapText(`memory cannot be read: ${oneLine(problem)}${more}`, terminal.columns)))
    }
    for (const store of stores) printStore(store, terminal)
    await printHeld(context)
    return undefined
  },
}
