/** Both stores as a person reads them: how full, and each entry with whose words it is. */
import type { EntryOrigin, MemoryTarget } from '@hermes/core'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { counted, gauge, percentFull } from '../../terminal/gauge.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/wrap-text.ts'

export interface EntryView {
  readonly text: string
  /** Whose words it is; `external` where nothing is recorded, such as after an edit by hand. */
  readonly origin: EntryOrigin
  /** Why the agent does not get to see it; empty when it does. */
  readonly blockedFor: readonly string[]
}

export interface StoreView {
  readonly target: MemoryTarget
  readonly enabled: boolean
  readonly entries: readonly EntryView[]
  /** Code points, delimiters included. */
  readonly usedChars: number
  readonly charLimit: number
}

export const MEMORY_STORES = ['memory', 'user'] as const

/** Reads the stores afresh; what cannot be read is told in `problems`. */
export const readStores = async (
  { hermes, core }: Context,
  targets: readonly MemoryTarget[] = MEMORY_STORES,
): Promise<{
  readonly stores: readonly StoreView[]
  readonly problems: ReturnType<ReturnType<Context['hermes']['memoryStore']>['loadProblems']>
}> => {
  const store = hermes.memoryStore()
  await store.load()
  const stores = targets.map((target): StoreView => {
    const entries = store.entries(target)
    const origins = store.origins(target)
    return {
      target,
      enabled: store.isEnabled(target),
      entries: entries.map((text) => ({ text, origin: origins.get(text) ?? 'external', blockedFor: core.scanThreats(text, 'strict') })),
      usedChars: [...entries.join(core.ENTRY_DELIMITER)].length,
      charLimit: store.charLimit(target),
    }
  })
  return { stores, problems: store.loadProblems() }
}

const TITLES = { memory: ['MEMORY.md', "the agent's own notes"], user: ['USER.md', 'who you are'] } as const

const ORIGIN_WIDTH = 9

const renderEntry = ({ text, origin, blockedFor }: EntryView, index: number, { columns, paint }: Terminal): string => {
  const number = String(index + 1).padStart(3)
  const indent = number.length + 2 + ORIGIN_WIDTH + 2
  const lines = `${paint.dim(number)}  ${paint.dim(origin.padEnd(ORIGIN_WIDTH))}  ${wrapText(cleanText(text), columns, indent)}\n`
  if (blockedFor.length === 0) return lines
  const why = `kept from the agent: ${blockedFor.join(', ')}`
  return `${lines}${' '.repeat(indent)}${paint.red(wrapText(why, columns, indent))}\n`
}

export const renderStore = ({ target, enabled, entries, usedChars, charLimit }: StoreView, terminal: Terminal): string => {
  const { bold, dim, red, yellow } = terminal.paint
  const [file, what] = TITLES[target]
  const percent = percentFull(usedChars, charLimit)
  const level = percent >= 95 ? red : percent >= 80 ? yellow : (text: string) => text
  const head = `${bold(file.padEnd(9))}  ${dim(what.padEnd(21))}`
  if (!enabled) return `${head}  ${dim('switched off in config.yaml')}\n`
  const first = `${head}  ${level(gauge(usedChars, charLimit))} ${dim('chars')}`
  if (entries.length === 0) return `${first}\n${dim('  nothing yet')}\n`
  return `${first}\n${entries.map((entry, index) => renderEntry(entry, index, terminal)).join('')}${dim(`     ${counted(entries.length, 'entry', 'entries')}`)}\n`
}
