/** What a completion offers in place of a name or an id: what the home holds. Loaded for completions only. */
import { listBackups } from '@hermes/core/curator'
import type { Answer } from './answer.ts'
import type { GlobalArgs } from './command.ts'
import { openJournal, openPending } from './commands/journal/read-journal.ts'
import { openMemory } from './commands/memory/open-memory.ts'
import { openSkills } from './commands/skills/library.ts'
import type { Context } from './context.ts'
import { shortEntryId, shortId } from './find-by-id.ts'
import { withContext } from './with-context.ts'
import type { World } from './world.ts'

type Values = (context: Context) => Promise<readonly string[]>

/** Enough to choose from; more would scroll. */
const RECORDS = 30

const liveSkills: Values = async (context) => {
  const listed = await openSkills(context).list()
  return listed.ok ? listed.value.skills.map(({ name }) => name) : []
}

const archivedSkills: Values = async (context) => {
  const listed = await openSkills(context).listArchived()
  return listed.ok ? listed.value.entries.map(({ name }) => name) : []
}

const pendingIds: Values = async (context) => {
  const listed = await openPending(context).list()
  return listed.ok ? listed.value.map(({ id }) => shortId(id)) : []
}

const recordIds: Values = async (context) => {
  const listed = await openJournal(context).list({ limit: RECORDS })
  return listed.ok ? listed.value.map(({ id, kind, pendingId }) => shortId(kind === 'held' ? (pendingId ?? id) : id)).toReversed() : []
}

const archivedEntries: Values = async (context) => {
  const listed = await openMemory(context, () => {}).archived()
  return listed.ok ? listed.value.map(({ id }) => shortEntryId(id, listed.value)) : []
}

const backupIds: Values = async ({ storage }) => {
  const listed = await listBackups(storage)
  return listed.ok ? listed.value.backups.map(({ id }) => id) : []
}

const stores: Values = async () => ['memory', 'user', 'project']

/** By noun and verb. */
const POSITIONALS: Readonly<Record<string, Values>> = {
  'skills show': liveSkills,
  'skills edit': liveSkills,
  'skills manage': liveSkills,
  'skills unmanage': liveSkills,
  'skills uninstall': liveSkills,
  'curator pin': liveSkills,
  'curator unpin': liveSkills,
  'curator archive': liveSkills,
  'curator restore': archivedSkills,
  'curator rollback': backupIds,
  pending: pendingIds,
  'journal show': recordIds,
  'memory show': stores,
  'memory archived': stores,
  'memory restore': archivedEntries,
}

const OPTIONS: Readonly<Record<string, Values>> = { '--to': stores, '-t': stores, '--store': stores, '--into': liveSkills }

const valuesOf = (known: Readonly<Record<string, Values>>, word: string): Values | undefined =>
  Object.hasOwn(known, word) ? known[word] : undefined

/** Options with a value, which is not a positional. */
const GLOBALS = ['home', 'user', 'tenant'] as const

interface Wanted {
  readonly values: Values
  readonly globals: GlobalArgs
  /** What is typed already. */
  readonly begun: string
}

/** `words`: the words of the line after `hermes`, the last one unfinished. */
const toWanted = (words: readonly string[]): Wanted | undefined => {
  const begun = words.at(-1) ?? ''
  const optionOf = (name: string): string | undefined => {
    const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
    const [, value] = words[at]?.split(/=(.*)/s) ?? []
    return at < 0 ? undefined : (value ?? words[at + 1])
  }
  const isValue = (at: number): boolean => GLOBALS.some((name) => words[at - 1] === `--${name}`)
  const plain = words.slice(0, -1).filter((word, at) => !word.startsWith('-') && !isValue(at))
  const before = words.at(-2) ?? ''
  const verb = plain.slice(0, 2).join(' ')
  const isOption = begun.startsWith('-') || before.startsWith('-')
  const values = valuesOf(OPTIONS, before) ?? (isOption ? undefined : valuesOf(POSITIONALS, verb))
  return values && { values, globals: { home: optionOf('home'), user: optionOf('user'), tenant: optionOf('tenant') }, begun }
}

const quiet = (): void => {}

/** `undefined` if the parser's own completions fit: nouns, verbs and options. */
export const completeValues = async (
  words: readonly string[],
  world: World,
  { terminal, progress }: Pick<Context, 'terminal' | 'progress'>,
): Promise<readonly string[] | undefined> => {
  const wanted = toWanted(words)
  if (!wanted) return undefined
  let found: readonly string[] = []
  const call = {
    globals: wanted.globals,
    withoutConfig: true,
    onlyReads: true,
    run: async (context: Context): Promise<Answer> => {
      found = await wanted.values(context)
      return {}
    },
  }
  await withContext(call, { world, terminal, progress, warn: quiet, say: quiet, isJson: true })
  // A name from a model must not write more than one line.
  return [...new Set(found)].filter((value) => value.startsWith(wanted.begun) && !/[\s\p{C}]/u.test(value))
}
