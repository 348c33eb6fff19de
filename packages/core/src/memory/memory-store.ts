/** The bounded memory of an agent across sessions: live entries in storage, a frozen snapshot for the prompt (seed 002). */
import type { HermesError } from '../shared/hermes-error.ts'
import { loadOnce, withLazy } from '../shared/lazy.ts'
import type { Result } from '../shared/result.ts'
import type { Cut } from '../storage/storage-backend.ts'
import type { PinnedEntry } from './change-facts.ts'
import type { RecordedSource, WriteSource } from './facts.ts'
import type { ArchivedEntry } from './memory-archive.ts'
import { type EntryFacts, type EntryOrigin, MEMORY_TARGETS, type MemoryOp, type MemoryOpOutcome, type MemoryTarget } from './memory-op.ts'
import {
  type ArchivedExpiry,
  createFailureCap,
  type MemoryStoreOptions,
  type MemoryWriter,
  readStoreOptions,
  type StoreOptions,
  type StoreRead,
} from './memory-store-options.ts'
import type { MemoryWork } from './memory-work.ts'
import type { ProfileSchema } from './profile-schema.ts'

const loadWork = loadOnce(() => import('./memory-work.ts'))

export class MemoryStore {
  readonly #options: StoreOptions
  readonly #read: StoreRead
  #work: MemoryWork | undefined
  /** The project whose notes are the store `project`. */
  readonly project: string | undefined
  /** The schema of the profile, which is then shown and checked. */
  readonly profile: ProfileSchema | undefined
  /** Maximum code points of the whole text of a session. */
  readonly maxBlockChars: number

  /** Throws a TypeError without a storage or for a name that no project can have, a RangeError for a wrong limit. */
  constructor(options: MemoryStoreOptions) {
    this.#options = readStoreOptions(options)
    this.#read = { states: {}, problems: [], failures: createFailureCap(this.#options.maxFailures) }
    this.project = this.#options.project
    this.profile = this.#options.profile
    this.maxBlockChars = this.#options.maxBlockChars
  }

  #with<T>(use: (work: MemoryWork) => Promise<Result<T>>): Promise<Result<T>> {
    return withLazy('The code of memory', loadWork, (code) => {
      this.#work ??= new code.MemoryWork(this.#options, this.#read)
      return use(this.#work)
    })
  }

  /**
   * Reads all stores and freezes the snapshot. Always ok: an unreadable file counts as empty (the host keeps running), is listed in
   * `loadProblems()`, and refuses later writes. If the facts are unreadable, every entry is shown as one from outside. `cut`: names their files and those of
   * their facts; it is taken instead of reading.
   */
  load(cut?: Cut): Promise<Result<void>> {
    return this.#with((work) => work.load(cut))
  }

  /** What the last `load()` could not read; empty if everything was read. */
  loadProblems(): readonly HermesError[] {
    return this.#read.problems
  }

  /** The user's. */
  get timeZone(): string {
    return this.#options.zone()
  }

  /** Epoch milliseconds from which the same files would give another block, since an entry begins or ceases to hold; undefined if none ever does. As of `load()`. */
  get blockOldAt(): number | undefined {
    return this.#read.oldAt
  }

  /** Whether the last `load()` found entries that are over: no block shows them, and `archiveExpired` moves them to the archive. */
  get hasExpired(): boolean {
    return this.#read.hasExpired === true
  }

  /** For a store over a transaction. Resolves to what the journal is to say. */
  archiveExpired(): Promise<Result<readonly ArchivedExpiry[]>> {
    return this.#with((work) => work.archiveExpired())
  }

  /**
   * The block for the system prompt as of `load()`, regardless of later writes; `undefined` for an empty store. In at most `maxChars` code points, by default
   * `maxBlockChars`: if not all entries fit, the pinned and the newest, and a note on the others.
   */
  renderSnapshot(target: MemoryTarget, maxChars: number = this.maxBlockChars): string | undefined {
    return this.#read.states[target]?.snapshot?.(maxChars)
  }

  /** The entries as this object last read them, including those with findings, so that they can be removed. */
  entries(target: MemoryTarget): readonly string[] {
    return this.#read.states[target]?.facts.map(({ entry }) => entry) ?? []
  }

  /** Origins of the live entries; `external` if nothing is recorded. */
  origins(target: MemoryTarget): ReadonlyMap<string, EntryOrigin> {
    return new Map(this.#read.states[target]?.facts.map(({ entry, origin }) => [entry, origin]))
  }

  isEnabled(target: MemoryTarget): boolean {
    return this.#options.enabled[target]
  }

  /** Maximum size in code points. */
  charLimit(target: MemoryTarget): number {
    return this.#options.limits[target]
  }

  /** Reads the entries anew, for `entries()` and `origins()` too; empty for a disabled store. */
  current(target: MemoryTarget): Promise<Result<readonly string[]>> {
    return this.#with((work) => work.current(target))
  }

  /** Present facts about each entry: origin and times; see `EntryDates` for hand-written entries. If they cannot be read, `onFailure` is called and each is `tool`. */
  facts(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>> {
    return this.#with((work) => work.facts(target))
  }

  /**
   * Entries removed from one store or all and not in it now, newest first. The archive is never pruned. Read problems go to `onFailure`; of all stores, one that
   * cannot be read is left out.
   */
  archived(target?: MemoryTarget): Promise<Result<readonly ArchivedEntry[]>> {
    return this.#with((work) => work.archived(target))
  }

  /**
   * Adds an archived entry again with at most its former origin and its first date; it counts as confirmed now. Dates of hand-written
   * entries stay unknown. Evicts, or fails with `over_limit`, as any add; threat scan and credential check apply. `not_found` for an
   * unknown id or a secret.
   */
  restore(id: string): Promise<Result<MemoryOpOutcome>> {
    return this.#with((work) => work.restore(id))
  }

  /**
   * For a store over a transaction: it begins with what the other one has read, and counts failed attempts with it. The result is to be called once the
   * transaction is written: the other one then shows what was read and changed here.
   */
  standsFor(other: MemoryStore): () => void {
    const before = { ...other.#read.states }
    this.#read.failures = other.#read.failures
    this.#read.states = { ...before }
    return () => {
      for (const target of MEMORY_TARGETS) {
        const now = this.#read.states[target]
        if (now && now !== before[target]) other.#read.states[target] = now
      }
    }
  }

  /** Call it at the start of a user turn: failed attempts are counted per turn. */
  newTurn(): void {
    this.#read.failures.reset()
  }

  /**
   * Applies one operation, or a list as an all-or-nothing batch. Does not change the snapshot. `source` gives the origin of the text; without it a new
   * text is the host's (see `MemoryStoreOptions.by`), and an entry that stands is only confirmed; with the dates of an earlier store it keeps its age and does not raise an entry's origin. `writer` is passed on to
   * `onWrite`. Removed entries go to the archive in the same update. A text with a credential or a threat is `blocked`, whoever writes it. Never throws; see
   * `HermesErrorCode` for the errors.
   */
  apply(
    target: MemoryTarget,
    op: MemoryOp | readonly MemoryOp[],
    source?: WriteSource,
    writer?: MemoryWriter,
  ): Promise<Result<MemoryOpOutcome>> {
    return this.#with((work) =>
      work.change(target, op, { source: this.#sourceOf(source, writer), mode: source ? undefined : 'unnamed', writer }),
    )
  }

  /** A write of the loop, behind a gate that names no origin, counts as written by hand. */
  #sourceOf(source: WriteSource | undefined, writer: MemoryWriter = { actor: 'host' }): RecordedSource | undefined {
    if (source) return source.origin === 'external' ? undefined : source
    if (writer.actor === 'person') return { origin: 'user' }
    return writer.actor === 'host' ? { origin: this.#options.by } : undefined
  }

  /**
   * Undoes an earlier write; `drift` if its entry changed since. `source`: the facts of the entry that comes back, whatever it replaces; a replace of an entry by
   * itself only gives it these facts. If they are not known, it is trusted no more than what it replaces.
   */
  takeBack(target: MemoryTarget, op: MemoryOp, source?: WriteSource): Promise<Result<MemoryOpOutcome>> {
    const recorded = source === undefined || source.origin === 'external' ? undefined : { ...source, raises: true }
    return this.#with((work) => work.change(target, op, { source: recorded, mode: source && 'takes-back', wholeEntries: true }))
  }

  /**
   * Pins the one entry that equals or contains the text: it is never evicted, and only a person or the host's code can replace or remove
   * it. Its replacement is pinned too. `not_found` and `ambiguous` as for a replace, `blocked` for an entry that looks like a secret.
   */
  pin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>> {
    return this.#with((work) => work.pin(target, text, true))
  }

  unpin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>> {
    return this.#with((work) => work.pin(target, text, false))
  }
}
