/** The bounded memory of an agent across sessions: live entries in storage, a frozen snapshot for the prompt (seed 002). */
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { ArchivedEntry } from './archive/archived-entry.ts'
import { findArchivedEntry, listArchivedEntries } from './archive/memory-archive.ts'
import { toOutcome } from './change-outcome.ts'
import { describeEntryChanges } from './entry-changes.ts'
import type { EntryFacts, EntryOrigin } from './entry-facts.ts'
import type { FailureCap } from './failure-cap.ts'
import type { Fingerprints } from './fingerprints.ts'
import { type KnownTexts, knownTextsOf } from './known-texts.ts'
import { loadStores } from './load-stores.ts'
import { changeMemoryFile, type RefusedChange, readMemoryFile } from './memory-file.ts'
import { MEMORY_TARGETS, type MemoryOp, type MemoryOpOutcome, type MemoryTarget, memoryTargetSchema } from './memory-op.ts'
import { disabledTarget, unknownTarget } from './memory-refusal.ts'
import { type MemoryStoreOptions, readStoreOptions, type StoreState } from './memory-store-options.ts'
import type { ChangeTerms, MemoryWrite, MemoryWriter } from './memory-write.ts'
import { type PinnedEntry, setPin } from './pin-entry.ts'
import { prepareOps } from './prepare-ops.ts'
import type { ProvenanceFile, RecordedSource } from './provenance.ts'
import { type LastProvenance, lookUpFacts, readProvenance } from './provenance-store.ts'

export class MemoryStore {
  readonly #storage: StorageBackend
  readonly #clock: Clock
  readonly #onFailure: (error: HermesError) => void
  readonly #onWrite: (write: MemoryWrite) => Promise<void>
  readonly #onPin: (pinned: PinnedEntry) => Promise<void>
  readonly #limits: Readonly<Record<MemoryTarget, number>>
  readonly #enabled: Readonly<Record<MemoryTarget, boolean>>
  /** Maximum code points of the whole text of a session. */
  readonly maxBlockChars: number
  readonly #evicts: boolean
  readonly #failures: FailureCap
  readonly #scans: KnownTexts['scans']
  readonly #fingerprints: Fingerprints
  readonly #isSecret: KnownTexts['isSecret']
  readonly #lastProvenance: LastProvenance = {}
  readonly #state: Partial<Record<MemoryTarget, StoreState>> = {}
  #loadProblems: readonly HermesError[] = []

  /** Throws a TypeError without a storage, a RangeError for a wrong limit. */
  constructor(options: MemoryStoreOptions) {
    const { storage, clock, limits, maxBlockChars, enabled, evicts, failures, onFailure, onWrite, onPin } = readStoreOptions(options)
    this.#storage = storage
    const { scans, fingerprints, isSecret } = knownTextsOf(storage)
    this.#scans = scans
    this.#fingerprints = fingerprints
    this.#isSecret = isSecret
    this.#clock = clock
    this.#onWrite = onWrite
    this.#onPin = onPin
    this.#onFailure = onFailure
    this.#limits = limits
    this.maxBlockChars = maxBlockChars
    this.#enabled = enabled
    this.#evicts = evicts
    this.#failures = failures
  }

  /**
   * Reads both stores and freezes the snapshot. Always ok: an unreadable file counts as empty (the host keeps running), is listed in
   * `loadProblems()`, and refuses later writes. If the provenance is unreadable, every entry is shown as one from outside.
   */
  async load(): Promise<Result<void>> {
    const { states, problems } = await loadStores({
      storage: this.#storage,
      targets: MEMORY_TARGETS.filter((name) => this.#enabled[name]),
      limits: this.#limits,
      maxBlockChars: this.maxBlockChars,
      scans: this.#scans,
      fingerprints: this.#fingerprints,
      last: this.#lastProvenance,
    })
    for (const [target, state] of states) this.#state[target] = state
    this.#loadProblems = problems
    for (const problem of problems) this.#onFailure(problem)
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
    return this.#enabled[target] ?? false
  }

  /** Maximum size in code points. */
  charLimit(target: MemoryTarget): number {
    return this.#limits[target] ?? 0
  }

  /** Reads the entries anew, for `entries()` and `origins()` too; empty for a disabled store. */
  async current(target: MemoryTarget): Promise<Result<readonly string[]>> {
    if (!memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    if (!this.#enabled[target]) return ok([])
    const file = await readMemoryFile(this.#storage, target)
    if (!file.ok) return file
    await this.#see(target, file.value.entries, await readProvenance(this.#storage, this.#lastProvenance))
    return ok(file.value.entries)
  }

  /** Present facts about each entry: origin and times; see `EntryDates` for hand-written entries. */
  async facts(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>> {
    const entries = await this.current(target)
    return entries.ok
      ? ok(await lookUpFacts(await readProvenance(this.#storage, this.#lastProvenance), target, entries.value, this.#fingerprints))
      : entries
  }

  /**
   * Entries removed from one store or both and not in it now, newest first. The archive is never pruned. Read problems go to `onFailure`; of both stores, one that
   * cannot be read is left out.
   */
  async archived(target?: MemoryTarget): Promise<Result<readonly ArchivedEntry[]>> {
    if (target !== undefined && !memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    const found: ArchivedEntry[] = []
    for (const name of MEMORY_TARGETS.filter((each) => this.#enabled[each] && (target === undefined || each === target))) {
      const entries = await this.current(name)
      if (!entries.ok && target !== undefined) return entries
      if (!entries.ok) {
        this.#onFailure(entries.error)
        continue
      }
      const listed = await listArchivedEntries(this.#storage, name, entries.value, this.#onFailure)
      if (!listed.ok) return listed
      found.push(...listed.value)
    }
    return ok(found.sort((a, b) => b.forgottenAt - a.forgottenAt))
  }

  /**
   * Adds an archived entry again with at most its former origin and its first date; it counts as confirmed now. Dates of hand-written
   * entries stay unknown. Evicts, or fails with `over_limit`, as any add; threat scan and credential check apply. `not_found` for an
   * unknown id or a secret.
   */
  async restore(id: string): Promise<Result<MemoryOpOutcome>> {
    const found = await findArchivedEntry(this.#storage, id)
    if (!found.ok) return found
    const { target, text: content, origin, firstSeenAt } = found.value
    const source = origin === 'external' ? undefined : { origin, firstSeenAt }
    return this.#change(target, { action: 'add', content }, { source, restoredFrom: id })
  }

  /** Call it at the start of a user turn: failed attempts are counted per turn. */
  newTurn(): void {
    this.#failures.reset()
  }

  /**
   * Applies one operation, or a list as an all-or-nothing batch. Does not change the snapshot. `source` gives the origin of the text; without it the text is
   * `external`; with the dates of an earlier store it keeps its age and does not raise an entry's origin. `writer` is passed on to `onWrite`. Removed entries are
   * archived first. A text with a credential or a threat is `blocked`, whoever writes it. Never throws; see `HermesErrorCode` for the errors.
   */
  apply(
    target: MemoryTarget,
    op: MemoryOp | readonly MemoryOp[],
    source?: RecordedSource,
    writer?: MemoryWriter,
  ): Promise<Result<MemoryOpOutcome>> {
    return this.#change(target, op, { source, writer })
  }

  /** Undoes an earlier write; `drift` if its entry changed since. `source`: the facts of the entry that comes back, whatever it replaces. */
  takeBack(target: MemoryTarget, op: MemoryOp, source?: RecordedSource): Promise<Result<MemoryOpOutcome>> {
    return this.#change(target, op, { source: source && { ...source, raises: true }, wholeEntries: true })
  }

  /**
   * Pins the one entry that equals or contains the text: it is never evicted, and only a person or the host's code can replace or remove
   * it. Its replacement is pinned too. `not_found` and `ambiguous` as for a replace.
   */
  pin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>> {
    return this.#setPin(target, text, true)
  }

  unpin(target: MemoryTarget, text: string): Promise<Result<PinnedEntry>> {
    return this.#setPin(target, text, false)
  }

  async #setPin(target: MemoryTarget, text: string, pinned: boolean): Promise<Result<PinnedEntry>> {
    if (!memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    if (!this.#enabled[target]) return err(disabledTarget(target))
    const done = await setPin(this.#storage, this.#clock, { target, text, pinned, charLimit: this.#limits[target] })
    if (done.ok && done.value.changed) await this.#tell(() => this.#onPin(done.value))
    return done
  }

  async #change(target: MemoryTarget, op: MemoryOp | readonly MemoryOp[], terms: ChangeTerms): Promise<Result<MemoryOpOutcome>> {
    const { source, restoredFrom, writer, wholeEntries = false } = terms
    if (!memoryTargetSchema.safeParse(target).success) return err(unknownTarget(target))
    if (!this.#enabled[target]) return err(disabledTarget(target))
    const scan = this.#scans[target]
    const prepared = prepareOps(op, scan)
    if (!prepared.ok) return prepared
    const cached = { fingerprints: this.#fingerprints, isSecret: this.#isSecret, lastProvenance: this.#lastProvenance }
    const effects = { storage: this.#storage, clock: this.#clock, onFailure: this.#onFailure, ...cached }
    const request = { target, charLimit: this.#limits[target], evicts: this.#evicts, wholeEntries, scan, ...prepared.value }
    const changed = await changeMemoryFile(effects, request, source)
    if (!changed.ok) return this.#refuse(target, prepared.value.batch, changed.error)
    this.#failures.reset()
    await this.#see(target, changed.value.entries, ok(changed.value.provenance))
    const outcome = toOutcome(target, changed.value, this.#limits[target])
    const ops = prepared.value.ops.flatMap((each) => (each.ok ? [each.value] : []))
    await this.#tell(async () => {
      const changes = await describeEntryChanges(target, changed.value, outcome.evicted)
      await this.#onWrite({ target, ops, outcome, changes, source, writer, restoredFrom })
    })
    return ok(outcome)
  }

  async #tell(listener: () => Promise<void>): Promise<void> {
    try {
      await listener()
    } catch {
      // The change is written, even if the listener fails.
    }
  }

  /** Counts failed attempts that a model would retry. A batch counts for any failure of its operations. */
  async #refuse(target: MemoryTarget, batch: boolean, { error, planned, entries }: RefusedChange): Promise<Result<never>> {
    if (entries) await this.#see(target, entries, await readProvenance(this.#storage, this.#lastProvenance))
    const counted = batch ? error.code !== 'blocked' && error.code !== 'drift' : error.code === 'over_limit' || error.code === 'not_found'
    return err(planned && counted ? this.#failures.count(error) : error)
  }

  async #see(target: MemoryTarget, entries: readonly string[], provenance: Result<ProvenanceFile | undefined>): Promise<void> {
    const facts = await lookUpFacts(provenance, target, entries, this.#fingerprints)
    this.#state[target] = { snapshot: this.#state[target]?.snapshot, facts }
  }
}
