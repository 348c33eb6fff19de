/** The bounded memory of an agent across sessions: live entries in storage, a frozen snapshot for the prompt (seed 002). */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { PinnedEntry } from './change-facts.ts'
import type { RefusedChange, WrittenChange } from './change-memory.ts'
import { describeEntryChanges, toOutcome } from './describe-change.ts'
import { type Facts, factsOf, NO_FACTS, type RecordedSource, type WriteSource } from './facts.ts'
import { type ArchivedEntry, archivedOf, findArchived } from './memory-archive.ts'
import { prepareBlock } from './memory-block.ts'
import { type KnownTexts, knownTextsOf, MemoryFiles, NO_ENTRIES } from './memory-files.ts'
import {
  type EntryFacts,
  type EntryOrigin,
  MEMORY_TARGETS,
  type MemoryOp,
  type MemoryOpOutcome,
  type MemoryTarget,
  memoryTargetSchema,
} from './memory-op.ts'
import { disabledTarget, unknownTarget } from './memory-refusal.ts'
import {
  type ChangeTerms,
  type MemoryStoreOptions,
  type MemoryWrite,
  type MemoryWriter,
  readStoreOptions,
  type StoreState,
} from './memory-store-options.ts'
import { prepareOps } from './plan-change.ts'

export class MemoryStore {
  #options: ReturnType<typeof readStoreOptions>
  readonly #known: KnownTexts
  readonly #files: MemoryFiles
  #state: Partial<Record<MemoryTarget, StoreState>> = {}
  #loadProblems: readonly HermesError[] = []
  /** Maximum code points of the whole text of a session. */
  readonly maxBlockChars: number

  /** Throws a TypeError without a storage, a RangeError for a wrong limit. */
  constructor(options: MemoryStoreOptions) {
    this.#options = readStoreOptions(options)
    this.#known = knownTextsOf(this.#options.storage)
    this.#files = new MemoryFiles(this.#options.storage, this.#known)
    this.maxBlockChars = this.#options.maxBlockChars
  }

  /**
   * Reads both stores and freezes the snapshot. Always ok: an unreadable file counts as empty (the host keeps running), is listed in
   * `loadProblems()`, and refuses later writes. If the facts are unreadable, every entry is shown as one from outside.
   */
  async load(): Promise<Result<void>> {
    const { limits, onFailure } = this.#options
    const targets = MEMORY_TARGETS.filter((target) => this.isEnabled(target))
    const { facts, documents } = await this.#files.read(targets)
    this.#loadProblems = [facts, ...documents.values()].flatMap((each) => (each.ok ? [] : [each.error]))
    for (const problem of this.#loadProblems) onFailure(problem)
    for (const target of targets) {
      const document = documents.get(target)
      const known = factsOf(facts, target, document?.ok ? document.value.entries : [])
      const shown = { target, facts: known, charLimit: limits[target], scan: this.#known.scan }
      this.#state[target] = { facts: known, snapshot: await prepareBlock(shown, this.maxBlockChars) }
    }
    return ok(undefined)
  }

  /** What the last `load()` could not read; empty if everything was read. */
  loadProblems(): readonly HermesError[] {
    return this.#loadProblems
  }

  /**
   * The block for the system prompt as of `load()`, regardless of later writes; `undefined` for an empty store. In at most `maxChars` code points, by default
   * `maxBlockChars`: if not all entries fit, the pinned and the newest, and a note on the others.
   */
  renderSnapshot(target: MemoryTarget, maxChars: number = this.maxBlockChars): string | undefined {
    return this.#state[target]?.snapshot?.(maxChars)
  }

  /** The entries as this object last read them, including those with findings, so that they can be removed. */
  entries(target: MemoryTarget): readonly string[] {
    return this.#state[target]?.facts.map(({ entry }) => entry) ?? []
  }

  /** Origins of the live entries; `external` if nothing is recorded. */
  origins(target: MemoryTarget): ReadonlyMap<string, EntryOrigin> {
    return new Map(this.#state[target]?.facts.map(({ entry, origin }) => [entry, origin]))
  }

  isEnabled(target: MemoryTarget): boolean {
    return this.#options.enabled[target] ?? false
  }

  /** Maximum size in code points. */
  charLimit(target: MemoryTarget): number {
    return this.#options.limits[target] ?? 0
  }

  /** Reads the entries anew, for `entries()` and `origins()` too; empty for a disabled store. */
  async current(target: MemoryTarget): Promise<Result<readonly string[]>> {
    const facts = await this.#now(target)
    return facts.ok ? ok(facts.value.map(({ entry }) => entry)) : facts
  }

  /** Present facts about each entry: origin and times; see `EntryDates` for hand-written entries. If they cannot be read, `onFailure` is called and each is `tool`. */
  async facts(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>> {
    return this.#now(target, this.#options.onFailure)
  }

  async #now(target: MemoryTarget, onProblem?: (problem: HermesError) => void): Promise<Result<readonly EntryFacts[]>> {
    if (!memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    if (!this.isEnabled(target)) return ok([])
    const { facts, documents } = await this.#files.read([target])
    const document = documents.get(target) ?? ok(NO_ENTRIES)
    if (!document.ok) return document
    if (!facts.ok) onProblem?.(facts.error)
    return ok(this.#see(target, facts, document.value.entries))
  }

  /**
   * Entries removed from one store or both and not in it now, newest first. The archive is never pruned. Read problems go to `onFailure`; of both stores, one that
   * cannot be read is left out.
   */
  async archived(target?: MemoryTarget): Promise<Result<readonly ArchivedEntry[]>> {
    if (target !== undefined && !memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    const found: ArchivedEntry[] = []
    const archive = await this.#files.archive(this.#options.onFailure)
    if (!archive.ok) return archive
    for (const name of MEMORY_TARGETS.filter((each) => this.isEnabled(each) && (target === undefined || each === target))) {
      const entries = await this.current(name)
      if (!entries.ok && target !== undefined) return entries
      if (entries.ok) found.push(...archivedOf(archive.value, name, entries.value))
      else this.#options.onFailure(entries.error)
    }
    return ok(found.sort((a, b) => b.forgottenAt - a.forgottenAt))
  }

  /**
   * Adds an archived entry again with at most its former origin and its first date; it counts as confirmed now. Dates of hand-written
   * entries stay unknown. Evicts, or fails with `over_limit`, as any add; threat scan and credential check apply. `not_found` for an
   * unknown id or a secret.
   */
  async restore(id: string): Promise<Result<MemoryOpOutcome>> {
    const archive = await this.#files.archive(this.#options.onFailure)
    const found = archive.ok ? findArchived(archive.value, id) : archive
    if (!found.ok) return found
    const { target, text: content, origin, firstSeenAt } = found.value
    const source = origin === 'external' ? undefined : { origin, firstSeenAt }
    return this.#change(target, { action: 'add', content }, { source, restoredFrom: id })
  }

  /**
   * For a store over a transaction: it begins with what the other one has read, and counts failed attempts with it. The result is to be called once the
   * transaction is written: the other one then shows what was read and changed here.
   */
  standsFor(other: MemoryStore): () => void {
    this.#options = { ...this.#options, failures: other.#options.failures }
    const before = { ...other.#state }
    this.#state = { ...before }
    return () => {
      for (const target of MEMORY_TARGETS) {
        const now = this.#state[target]
        if (now && now !== before[target]) other.#state[target] = now
      }
    }
  }

  /** Call it at the start of a user turn: failed attempts are counted per turn. */
  newTurn(): void {
    this.#options.failures.reset()
  }

  /**
   * Applies one operation, or a list as an all-or-nothing batch. Does not change the snapshot. `source` gives the origin of the text; without it the text is
   * the host's (see `MemoryStoreOptions.by`); with the dates of an earlier store it keeps its age and does not raise an entry's origin. `writer` is passed on to
   * `onWrite`. Removed entries go to the archive in the same update. A text with a credential or a threat is `blocked`, whoever writes it. Never throws; see
   * `HermesErrorCode` for the errors.
   */
  apply(
    target: MemoryTarget,
    op: MemoryOp | readonly MemoryOp[],
    source?: WriteSource,
    writer?: MemoryWriter,
  ): Promise<Result<MemoryOpOutcome>> {
    return this.#change(target, op, { source: this.#sourceOf(source, writer), writer })
  }

  /** A write of the loop, behind a gate that names no origin, counts as written by hand. */
  #sourceOf(source: WriteSource | undefined, writer: MemoryWriter = { actor: 'host' }): RecordedSource | undefined {
    if (source) return source.origin === 'external' ? undefined : source
    if (writer.actor === 'person') return { origin: 'user' }
    return writer.actor === 'host' ? { origin: this.#options.by } : undefined
  }

  /** Undoes an earlier write; `drift` if its entry changed since. `source`: the facts of the entry that comes back, whatever it replaces. */
  takeBack(target: MemoryTarget, op: MemoryOp, source?: RecordedSource): Promise<Result<MemoryOpOutcome>> {
    return this.#change(target, op, { source: source && { ...source, raises: true }, wholeEntries: true })
  }

  /**
   * Pins the one entry that equals or contains the text: it is never evicted, and only a person or the host's code can replace or remove
   * it. Its replacement is pinned too. `not_found` and `ambiguous` as for a replace, `blocked` for an entry that looks like a secret.
   */
  pin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>> {
    return this.#setPin(target, text, true)
  }

  unpin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>> {
    return this.#setPin(target, text, false)
  }

  async #setPin(target: MemoryTarget, text: string, pinned: boolean): Promise<Result<PinnedEntry>> {
    if (!memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    if (!this.isEnabled(target)) return err(disabledTarget(target))
    const { log, onPin } = this.#options
    const request = { target, text, pinned, charLimit: this.charLimit(target), isSecret: this.#known.isSecret }
    const opened = await log?.()
    if (opened && !opened.ok) return opened
    const done = await this.#files.pin(request, opened?.value)
    if (done.ok && done.value.changed) await this.#tell(() => onPin(done.value))
    return done
  }

  async #change(target: MemoryTarget, op: MemoryOp | readonly MemoryOp[], terms: ChangeTerms): Promise<Result<MemoryOpOutcome>> {
    const { source, restoredFrom, writer, wholeEntries = false } = terms
    if (!memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    if (!this.isEnabled(target)) return err(disabledTarget(target))
    const { clock, evicts, failures, log, onWrite } = this.#options
    const { scan } = this.#known
    const prepared = prepareOps(op, scan)
    if (!prepared.ok) return prepared
    const limits = { charLimit: this.charLimit(target), evicts, wholeEntries, isSecret: this.#known.isSecret }
    const change = { target, source, at: clock(), scan, ...limits, ...prepared.value }
    const ops = prepared.value.ops.flatMap((each) => (each.ok ? [each.value] : []))
    const describe = (written: WrittenChange): MemoryWrite => {
      const outcome = toOutcome(target, written, change.charLimit)
      const changes = describeEntryChanges(target, written, outcome.evicted)
      return { target, ops, outcome, changes, source, writer, restoredFrom }
    }
    const opened = await log?.()
    if (opened && !opened.ok) return opened
    const lines = opened?.value
    const extra = lines && { path: lines.path, bytes: (written: WrittenChange) => lines.written(describe(written)) }
    const done = await this.#files.change(change, extra)
    if (!done.ok) return this.#refuse(target, prepared.value.batch, done.error)
    failures.reset()
    const written = done.value
    this.#see(target, ok({ ...NO_FACTS, [target]: written.records }), written.entries)
    const write = describe(written)
    await this.#tell(() => onWrite(write))
    return ok(write.outcome)
  }

  async #tell(listener: () => Promise<void>): Promise<void> {
    try {
      await listener()
    } catch {} // The change is written, even if the listener fails.
  }

  /** Counts failed attempts that a model would retry. A batch counts for any failure of its operations. */
  #refuse(target: MemoryTarget, batch: boolean, { error, planned, seen }: RefusedChange): Result<never> {
    if (seen) this.#see(target, ok({ ...NO_FACTS, [target]: seen.records }), seen.entries)
    const counted = batch ? error.code !== 'blocked' && error.code !== 'drift' : error.code === 'over_limit' || error.code === 'not_found'
    return err(planned && counted ? this.#options.failures.count(error) : error)
  }

  #see(target: MemoryTarget, known: Result<Facts>, entries: readonly string[]): readonly EntryFacts[] {
    const facts = factsOf(known, target, entries)
    this.#state[target] = { snapshot: this.#state[target]?.snapshot, facts }
    return facts
  }
}
