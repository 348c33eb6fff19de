/** `hermes.memory`: what the host's own code reads and writes of the two stores. Every call reads for itself. */
import type { Home } from './home.ts'
import type { JournalRecord } from './journal/journal-record.ts'
import type { PinnedEntry } from './memory/change-facts.ts'
import type { ArchivedEntry } from './memory/memory-archive.ts'
import type { EntryFacts, EntryOrigin, MemoryOp, MemoryOpOutcome, MemoryTarget } from './memory/memory-op.ts'
import { HermesError } from './shared/hermes-error.ts'
import { err, ok, type Result } from './shared/result.ts'

export interface MemoryEntry {
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

export interface MemoryWriteOptions {
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
  list(target: MemoryTarget): Promise<Result<readonly MemoryEntry[]>>
  /** An entry that exists is only confirmed, unless `by` is named: then it counts as theirs, except that what the user said stays the user's. What it makes room for goes to the archive; `over_limit` if only entries that are pinned, hand-written or trusted more could go. */
  add(target: MemoryTarget, content: string, options?: MemoryWriteOptions): Promise<Result<MemoryOpOutcome>>
  /** `oldText`: the entry, or a part that no other entry contains; otherwise `not_found` or `ambiguous`. The old entry goes to the archive. */
  replace(target: MemoryTarget, oldText: string, content: string, options?: MemoryWriteOptions): Promise<Result<MemoryOpOutcome>>
  /** `oldText` as for `replace`. The entry goes to the archive, from where `memoryStore().restore(id)` brings it back. */
  remove(target: MemoryTarget, oldText: string, options?: MemoryWriteOptions): Promise<Result<MemoryOpOutcome>>
  /** The entry is never evicted, and only a person or the host's code can change it. `text` as `oldText` of `replace`. */
  pin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>>
  unpin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>>
  /** Where the entries with this text come from: whose words, since when, and every decision about them. `not_found` if nothing is known of it. */
  why(target: MemoryTarget, text: string): Promise<Result<MemoryStory>>
}

const toEntry = ({ entry, origin, pinned, firstSeenAt, lastConfirmedAt }: EntryFacts): MemoryEntry => ({
  content: entry,
  by: origin,
  pinned: pinned === true,
  ...(firstSeenAt === 0 ? {} : { firstSeenAt }),
  ...(lastConfirmedAt === 0 ? {} : { lastConfirmedAt }),
})

/** From callers, typed or not. */
const readBy = (options: unknown): Result<'user' | 'host' | undefined> => {
  if (options === undefined) return ok(undefined)
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
  const unknown = isObject ? Object.keys(options).find((key) => key !== 'by') : ''
  const by: unknown = isObject && 'by' in options ? options.by : undefined
  if (unknown === undefined && (by === undefined || by === 'user' || by === 'host')) return ok(by)
  const what =
    unknown === undefined
      ? `by is '${String(by).slice(0, 80)}'`
      : unknown === ''
        ? 'they are no object'
        : `'${unknown.slice(0, 80)}' is no option`
  const message = `The options of this write cannot be read: ${what}. Give { by: 'user' } for words that the user said or typed, or { by: 'host' }.`
  return err(new HermesError('invalid', message))
}

export const homeMemory = (home: Home): HermesMemory => {
  /** A store for each call: failed attempts of a host are not counted together. */
  const store = () => home.openMemory({ log: home.memoryLog })
  const write = async (target: MemoryTarget, op: MemoryOp, options: unknown): Promise<Result<MemoryOpOutcome>> => {
    const by = readBy(options)
    return by.ok ? store().apply(target, op, by.value && { origin: by.value }) : by
  }
  return {
    list: async (target) => {
      const facts = await store().facts(target)
      return facts.ok ? ok(facts.value.map(toEntry)) : facts
    },
    add: (target, content, options) => write(target, { action: 'add', content }, options),
    replace: (target, oldText, content, options) => write(target, { action: 'replace', oldText, content }, options),
    remove: (target, oldText, options) => write(target, { action: 'remove', oldText }, options),
    pin: (target, text) => store().pin(target, text),
    unpin: (target, text) => store().unpin(target, text),
    why: async (target, text) => {
      if (typeof text !== 'string' || text.trim() === '')
        return err(new HermesError('empty', 'text is missing or blank: give the entry, or a part of it.'))
      const asked = text.trim()
      // As the journal compares.
      const isAbout = (words: string): boolean => words.toLowerCase().includes(asked.toLowerCase())
      const facts = await store().facts(target)
      if (!facts.ok) return facts
      const archived = await store().archived(target)
      if (!archived.ok) return archived
      const listed = await home.journal.list({ text: asked })
      if (!listed.ok) return listed
      const story: MemoryStory = {
        entries: facts.value.filter(({ entry }) => isAbout(entry)).map(toEntry),
        archived: archived.value.filter((entry) => isAbout(entry.text)),
        records: listed.value.filter((record) => record.target === target),
      }
      if (Object.values(story).some(({ length }) => length > 0)) return ok(story)
      return err(
        new HermesError('not_found', `Nothing in the store '${target}', its archive or the journal mentions '${asked.slice(0, 80)}'.`),
      )
    },
  }
}
