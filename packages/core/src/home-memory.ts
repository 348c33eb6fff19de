/** `hermes.memory`: what the host's own code reads and writes of the stores. Every call reads for itself. */

import type { Home } from './home.ts'
import type { JournalRecord } from './journal/journal-record.ts'
import type { PinnedEntry } from './memory/change-facts.ts'
import { timeOf } from './memory/entry-time.ts'
import type { ArchivedEntry } from './memory/memory-archive.ts'
import {
  type EntryFacts,
  type EntryOrigin,
  type EntryTime,
  type MemoryOp,
  type MemoryOpOutcome,
  type MemoryTarget,
  targetsOf,
} from './memory/memory-op.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { SharedNotes } from './memory/shared-notes.ts'
import { withinLimit } from './session/within-limit.ts'
import { foldVisible } from './shared/fold-text.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLazy } from './shared/lazy.ts'
import { err, ok, type Result } from './shared/result.ts'
import { insideProject, projectFault, projectsIn } from './storage/project.ts'
import { BLOCK_VIEW_PATH, PROJECTS_FOLDER } from './storage/storage-paths.ts'

/** `from`, `until`: the first and the last day on which it holds, such as `2026-12-04`, in the user's time zone. */
export interface MemoryEntry extends EntryTime {
  readonly content: string
  /** Whose words it is; `external` if it was written by hand or by another program. */
  readonly by: EntryOrigin
  /** Never evicted, and changed only by a person or the host's code. */
  readonly pinned: boolean
  /** Epoch milliseconds. Absent if it is not known, as for entries written by hand. */
  readonly firstSeenAt?: number
  /** Epoch milliseconds. Absent if it is not known. */
  readonly lastConfirmedAt?: number
}

export interface FoundEntry extends MemoryEntry {
  readonly target: MemoryTarget
}

export interface OfProject {
  /** Whose notes are the store `project`. Default: the project of `createHermes`. */
  readonly project?: string | undefined
}

/** Of a new entry that holds for a time: its first and its last day, in the user's time zone. */
export interface MemoryEntryOptions extends MemoryWriteOptions, EntryTime {}

export interface MemoryWriteOptions extends OfProject {
  /**
   * Whose words the write gives. `host`: the host's own code. `user`: the user said or typed them, so they have the user's authority. Default `host`, and `user`
   * with the option `actor: 'person'`.
   */
  readonly by?: 'user' | 'host'
}

/** What is known of a text. */
export interface MemoryStory {
  /** The entries that contain it. */
  readonly entries: readonly MemoryEntry[]
  /** Entries with it that have left the store, newest first. */
  readonly archived: readonly ArchivedEntry[]
  /** Every decision and write about it that the journal still has, newest last. */
  readonly records: readonly JournalRecord[]
}

/**
 * The memory of one home, for the host's code; the agent writes through its tool. Nothing is loaded first: each call reads the files as they are, and each write
 * is one update together with its journal record. Errors are returned, never thrown: `invalid` for an unknown target or option, else as `MemoryStore.apply`.
 */
export interface HermesMemory {
  /**
   * In file order, with entries that the agent is not shown because of what they hold. Empty for a store that is switched off. If it cannot be read whose words they
   * are, an event says so, and each counts as from outside. For a prompt, use the `systemBlock` of a session.
   */
  list(target: MemoryTarget, options?: OfProject): Promise<Result<readonly MemoryEntry[]>>
  /** Entries of all stores that hold every word of the query, in any order and in upper or lower case. For past conversations, see `Hermes.recall`. */
  search(query: string, options?: OfProject): Promise<Result<readonly FoundEntry[]>>
  /** An entry that exists is only confirmed, unless `by` is named: then it counts as theirs, except that what the user said stays the user's. What it makes room for goes to the archive; `over_limit` if only entries that are pinned, hand-written or trusted more could go. */
  add(target: MemoryTarget, content: string, options?: MemoryEntryOptions): Promise<Result<MemoryOpOutcome>>
  /** `oldText`: the entry, or a part that no other entry contains; otherwise `not_found` or `ambiguous`. The old entry goes to the archive. */
  replace(target: MemoryTarget, oldText: string, content: string, options?: MemoryEntryOptions): Promise<Result<MemoryOpOutcome>>
  /** `oldText` as for `replace`. The entry goes to the archive, from where `memoryStore().restore(id)` brings it back. */
  remove(target: MemoryTarget, oldText: string, options?: MemoryWriteOptions): Promise<Result<MemoryOpOutcome>>
  /** The entry is never evicted, and only a person or the host's code can change it. `text` as `oldText` of `replace`. */
  pin(target: MemoryTarget, text: string, options?: OfProject): Promise<Result<PinnedEntry>>
  unpin(target: MemoryTarget, text: string, options?: OfProject): Promise<Result<PinnedEntry>>
  /** The notes that a team shares (`memory.shared`), in the order of the storages. A storage that cannot be read or does not answer in time is in `problems`. */
  shared(): Promise<Result<SharedNotes>>
  /** Where the entries with this text come from: whose words, since when, and every decision about them. `not_found` if nothing is known of it. */
  why(target: MemoryTarget, text: string, options?: OfProject): Promise<Result<MemoryStory>>
}

const toEntry = ({ entry, origin, pinned, firstSeenAt, lastConfirmedAt, ...time }: EntryFacts): MemoryEntry => ({
  content: entry,
  by: origin,
  pinned: pinned === true,
  ...(firstSeenAt === 0 ? {} : { firstSeenAt }),
  ...(lastConfirmedAt === 0 ? {} : { lastConfirmedAt }),
  ...timeOf(time),
})

type ReadOptions = { readonly by: 'user' | 'host' | undefined; readonly project: string | undefined; readonly time: EntryTime }

const isWho = (by: unknown): by is ReadOptions['by'] => by === undefined || by === 'user' || by === 'host'

const refuse = (what: string, how: string): Result<never> =>
  err(new HermesError('invalid', `The options of this call cannot be read: ${what}. ${how}`))

const ALLOWED = { read: ['project'], write: ['by', 'project'], entry: ['by', 'project', 'from', 'until'] } as const

const HOW = {
  read: "Give { project: 'webshop' } for the notes on a project, or none.",
  entry:
    "Give { by: 'user' } for words that the user said or typed, or { by: 'host' }; { project: 'webshop' } for the notes on a project; { until: '2026-12-04' } for what holds for a time.",
  write: "Give { by: 'user' } for words that the user said or typed, or { by: 'host' }; { project: 'webshop' } for the notes on a project.",
} as const

/** From callers, typed or not. */
const readOptions = (given: unknown, kind: keyof typeof ALLOWED): Result<ReadOptions> => {
  if (given === undefined) return ok({ by: undefined, project: undefined, time: {} })
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return refuse('they are no object', HOW[kind])
  const unknown = Object.keys(given).find((key) => !ALLOWED[kind].some((name) => name === key))
  if (unknown !== undefined) return refuse(`'${unknown.slice(0, 80)}' is no option`, HOW[kind])
  const { by, project }: { readonly by?: unknown; readonly project?: unknown } = given
  if (!isWho(by)) return refuse(`by is '${String(by).slice(0, 80)}'`, HOW[kind])
  const fault = project === undefined ? undefined : projectFault(project)
  // The store checks the days.
  return fault === undefined
    ? ok({ by, project: project as string | undefined, time: timeOf(given) })
    : refuse(`project ${fault}`, HOW[kind])
}

/** Of a write that is of no project. */
export const readWriteOptions = (given: unknown): Result<Pick<ReadOptions, 'by'>> => readOptions(given, 'write')

export const homeMemory = (home: Home): HermesMemory => {
  /** A store for each call: failed attempts of a host are not counted together. */
  const store = ({ project = home.options.project }: Pick<ReadOptions, 'project'>) => home.openMemory({ log: home.memoryLog, project })
  const use = async <T>(
    given: unknown,
    kind: keyof typeof ALLOWED,
    work: (memory: MemoryStore, options: ReadOptions) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const options = readOptions(given, kind)
    return options.ok ? work(store(options.value), options.value) : options
  }
  const write = (target: MemoryTarget, op: MemoryOp, given: unknown): Promise<Result<MemoryOpOutcome>> =>
    use(given, op.action === 'remove' ? 'write' : 'entry', (memory, { by, time }) =>
      memory.apply(target, { ...op, ...time }, by && { origin: by }),
    )
  return {
    list: (target, options) =>
      use(options, 'read', async (memory) => {
        const facts = await memory.facts(target)
        return facts.ok ? ok(facts.value.map(toEntry)) : facts
      }),
    search: (query, options) => use(options, 'read', (memory) => search(memory, query)),
    add: (target, content, options) => write(target, { action: 'add', content }, options),
    replace: (target, oldText, content, options) => write(target, { action: 'replace', oldText, content }, options),
    remove: (target, oldText, options) => write(target, { action: 'remove', oldText }, options),
    pin: (target, text, options) => use(options, 'read', (memory) => memory.pin(target, text)),
    unpin: (target, text, options) => use(options, 'read', (memory) => memory.unpin(target, text)),
    shared: async () => {
      const limitMs = Math.ceil(home.options.sessions.loadTimeoutMs / 4)
      const inTime = <T>(work: Promise<T>) => withinLimit(work, limitMs)
      return withLazy(
        'The code of memory',
        () => import('./memory/shared-notes.ts'),
        async ({ readSharedNotes }) => ok(await readSharedNotes(home.options.memory.shared, inTime)),
      )
    },
    why: (target, text, options) => use(options, 'read', (memory) => why(home, memory, target, text)),
  }
}

const foldWords = (text: string): string => foldVisible(text).toLowerCase()

const search = async (memory: MemoryStore, query: string): Promise<Result<readonly FoundEntry[]>> => {
  const words =
    typeof query === 'string'
      ? foldWords(query)
          .split(/\s+/)
          .filter((word) => word !== '')
      : []
  if (words.length === 0) return err(new HermesError('empty', 'query is missing or blank: give the words to look for.'))
  const found: FoundEntry[] = []
  for (const target of targetsOf({ project: memory.project, profile: true })) {
    const facts = await memory.facts(target)
    if (!facts.ok) return facts
    const holds = ({ content }: MemoryEntry): boolean => words.every((word) => foldWords(content).includes(word))
    found.push(
      ...facts.value
        .map(toEntry)
        .filter(holds)
        .map((entry) => ({ target, ...entry })),
    )
  }
  return ok(found)
}

/** See `Hermes.projects`. A text of the next session is kept for each project that a session was opened with. */
export const listProjects = async ({ storage }: Home): Promise<Result<readonly string[]>> => {
  const listed = await storage.list(PROJECTS_FOLDER)
  return listed.ok ? ok(projectsIn(listed.value.filter(({ path }) => insideProject(path) !== BLOCK_VIEW_PATH))) : listed
}

const why = async (home: Home, memory: MemoryStore, target: MemoryTarget, text: string): Promise<Result<MemoryStory>> => {
  if (typeof text !== 'string' || text.trim() === '')
    return err(new HermesError('empty', 'text is missing or blank: give the entry, or a part of it.'))
  const asked = text.trim()
  // As the journal compares.
  const isAbout = (words: string): boolean => words.toLowerCase().includes(asked.toLowerCase())
  const facts = await memory.facts(target)
  if (!facts.ok) return facts
  const archived = await memory.archived(target)
  if (!archived.ok) return archived
  const listed = await home.journal.list({ text: asked })
  if (!listed.ok) return listed
  const isOfStore = (record: JournalRecord) => record.target === target && (target !== 'project' || record.project === memory.project)
  const story: MemoryStory = {
    entries: facts.value.filter(({ entry }) => isAbout(entry)).map(toEntry),
    archived: archived.value.filter((entry) => isAbout(entry.text)),
    records: listed.value.filter(isOfStore),
  }
  if (Object.values(story).some(({ length }) => length > 0)) return ok(story)
  return err(new HermesError('not_found', `Nothing in the store '${target}', its archive or the journal mentions '${asked.slice(0, 80)}'.`))
}
