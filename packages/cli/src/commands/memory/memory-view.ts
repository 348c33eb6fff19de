/** Renders both stores: how full they are, and each entry with its source. */
import type { HermesError, MemoryTarget } from '@hermes/core'
import { describeTime, ENTRY_DELIMITER, type EntryDates, type SharedNote, scanThreats } from '@hermes/core/memory'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { counted, gauge, percentFull, relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { inProject, openMemory, readProjects } from './open-memory.ts'

/** Source (`external` if none is recorded, such as after a manual edit) and dates of an entry. */
interface EntryView extends EntryDates {
  readonly text: string
  /** Why the entry is not shown to the agent; empty if it is shown. */
  readonly blockedFor: readonly string[]
  /** The entry is pinned by a person. */
  readonly pinned?: true | undefined
}

export interface StoreView {
  readonly target: MemoryTarget
  /** Whose notes the store `project` holds. */
  readonly project?: string
  readonly enabled: boolean
  /** False: the file is damaged, and `entries` is empty. */
  readonly readable: boolean
  readonly entries: readonly EntryView[]
  /** Code points, including delimiters. */
  readonly usedChars: number
  readonly charLimit: number
}

export const MEMORY_STORES = ['memory', 'user', 'project'] as const

/** The stores there are: of a project only where one is named. */
export const storesOf = ({ project }: Pick<Context, 'project'>): readonly MemoryTarget[] =>
  MEMORY_STORES.filter((target) => target !== 'project' || project !== undefined)

/** How an entry is named on the command line, such as `user:2`: its store, and its place in it counted from 1. */
export const entryRef = (target: MemoryTarget, index: number): string => `${target}:${index + 1}`

/** Reads the stores from storage; read errors are in `problems`. */
export const readStores = async (
  context: Context,
  targets: readonly MemoryTarget[] = storesOf(context),
): Promise<{ readonly stores: readonly StoreView[]; readonly problems: readonly HermesError[] }> => {
  const store = openMemory(context, () => {})
  await store.load()
  const unread: HermesError[] = []
  const read = async (target: MemoryTarget): Promise<StoreView> => {
    const facts = await store.facts(target)
    const entries = facts.ok ? facts.value : []
    // Without its schema, which only the app has, the profile is not loaded.
    if (!facts.ok && target === 'profile') unread.push(facts.error)
    return {
      target,
      ...(target === 'project' && context.project !== undefined ? { project: context.project } : {}),
      enabled: store.isEnabled(target),
      readable: facts.ok,
      entries: entries.map(({ entry, ...dates }) => ({ text: entry, ...dates, blockedFor: scanThreats(entry, 'strict') })),
      usedChars: [...entries.map(({ entry }) => entry).join(ENTRY_DELIMITER)].length,
      charLimit: store.charLimit(target),
    }
  }
  const stores: StoreView[] = []
  for (const target of targets) stores.push(await read(target))
  const others = storesOf(context).filter((target) => !targets.includes(target))
  const isOther = (path: unknown) =>
    others.some((target) => (target === 'project' ? String(path).startsWith('projects/') : path === `memories/${FILES[target]}`))
  return { stores, problems: [...store.loadProblems(), ...unread].filter(({ details }) => !isOther(details['path'])) }
}

/** Those of the person, then the notes on each project; read errors are in `problems`. */
export const readAllStores = async (context: Context) => {
  const listed = await readProjects(context)
  const projects = listed.ok ? listed.value : []
  const stores: StoreView[] = []
  const problems: HermesError[] = listed.ok ? [] : [listed.error]
  for (const project of [undefined, ...projects]) {
    const read = await readStores(inProject(context, project), project === undefined ? ['memory', 'user', 'profile'] : ['project'])
    // Most homes have no profile.
    stores.push(...read.stores.filter(({ target, readable, entries }) => target !== 'profile' || !readable || entries.length > 0))
    problems.push(...read.problems)
  }
  return { stores, projects, problems }
}

export const FILES = { memory: 'MEMORY.md', user: 'USER.md', project: 'MEMORY.md of the project', profile: 'PROFILE.json' } as const

const TITLES = {
  memory: [FILES.memory, "the agent's own notes"],
  user: [FILES.user, 'what it knows about you'],
  project: ['PROJECT', 'notes on this project'],
  profile: ['PROFILE', 'fields about you'],
} as const

const ORIGIN_WIDTH = 9

/** `first seen 3mo ago, confirmed 2d ago`. Entries written by hand have no dates. */
const datesOf = ({ firstSeenAt, lastConfirmedAt }: EntryDates, now: number): string => {
  if (firstSeenAt === 0 && lastConfirmedAt === 0) return 'no dates recorded'
  const seen = firstSeenAt === 0 ? 'first seen at an unknown time' : `first seen ${relativeTime(firstSeenAt, now)}`
  return lastConfirmedAt > firstSeenAt ? `${seen}, confirmed ${relativeTime(lastConfirmedAt, now)}` : seen
}

/** `ref`: padded. */
const renderEntry = (entry: EntryView, ref: string, { now, long }: StoreLook, { columns, paint }: Terminal): string => {
  const number = `  ${ref}`
  const indent = number.length + 2 + ORIGIN_WIDTH + 2
  const below = (text: string, colour: (text: string) => string): string =>
    `${' '.repeat(indent)}${colour(wrapText(text, columns, indent))}\n`
  const time = describeTime(entry)
  const pin = (time === '' ? '' : below(time, paint.dim)) + (entry.pinned ? below('pinned', paint.dim) : '')
  const lines = `${paint.dim(number)}  ${paint.dim(entry.origin.padEnd(ORIGIN_WIDTH))}  ${wrapText(cleanText(entry.text), columns, indent)}\n`
  const dates = long ? below(datesOf(entry, now), paint.dim) : ''
  const blocked = entry.blockedFor.length === 0 ? '' : below(`hidden from the agent: ${entry.blockedFor.join(', ')}`, paint.red)
  return lines + pin + dates + blocked
}

/** Read only: whoever keeps the folder changes them. */
export const renderTeamNotes = (notes: readonly SharedNote[], { columns, paint }: Terminal): string => {
  if (notes.length === 0) return ''
  const lines = notes.map(({ content, ...time }) => {
    const days = describeTime(time)
    return `  - ${wrapText(cleanText(content), columns, 4)}\n${days === '' ? '' : `    ${paint.dim(days)}\n`}`
  })
  return `\n${paint.bold('TEAM')}  ${paint.dim('notes that your team shares, read only')}\n${lines.join('')}`
}

export interface StoreLook {
  readonly now: number
  /** Also show the dates of each entry. */
  readonly long: boolean
}

/** Minimum screen width, in cells, at which the first line describes the store. */
const ROOMY_COLUMNS = 72

export const renderStore = (
  { target, enabled, readable, entries, usedChars, charLimit }: StoreView,
  look: StoreLook,
  terminal: Terminal,
): string => {
  const { bold, dim, red, yellow } = terminal.paint
  const [file, what] = TITLES[target]
  const percent = percentFull(usedChars, charLimit)
  const level = percent >= 95 ? red : percent >= 80 ? yellow : (text: string) => text
  const head = `${bold(file.padEnd(9))}${terminal.columns < ROOMY_COLUMNS ? '' : `  ${dim(what.padEnd(23))}`}`
  if (!enabled) return `${head}  ${dim('switched off in config.yaml')}\n`
  if (!readable) return `${head}  ${red('cannot be read')}\n`
  const first = `${head}  ${level(gauge(usedChars, charLimit))} ${dim('chars')}`
  if (entries.length === 0) return `${first}\n${dim('  no entries yet')}\n`
  const width = entryRef(target, entries.length - 1).length
  const lines = entries.map((entry, index) => renderEntry(entry, entryRef(target, index).padEnd(width), look, terminal)).join('')
  return `${first}\n${lines}${dim(`  ${counted(entries.length, 'entry', 'entries')}`)}\n`
}
