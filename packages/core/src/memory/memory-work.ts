/** What a memory store does, with all rules of memory: loaded when a verb of a store is first called, since a start that shows a kept text needs none of it. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { Cut } from '../storage/storage-backend.ts'
import type { PinnedEntry } from './change-facts.ts'
import type { RefusedChange, WrittenChange } from './change-memory.ts'
import { describeEntryChanges, toOutcome } from './describe-change.ts'
import { dayIn, isAhead, isOver, nextChange, timeOf } from './entry-time.ts'
import { type Facts, factsOf, NO_FACTS } from './facts.ts'
import { type ArchivedEntry, archivedOf, findArchived } from './memory-archive.ts'
import { prepareBlock } from './memory-block.ts'
import { type KnownTexts, knownTextsOf, MemoryFiles, NOTHING_STORED } from './memory-files.ts'
import { type EntryFacts, type MemoryOp, type MemoryOpOutcome, type MemoryTarget, targetsOf } from './memory-op.ts'
import { disabledTarget, unknownTarget } from './memory-refusal.ts'
import type { ArchivedExpiry, ChangeTerms, MemoryWrite, StoreOptions, StoreRead } from './memory-store-options.ts'
import { prepareOps } from './plan-change.ts'
import { type ProfileRules, rulesOf } from './profile-schema.ts'

export class MemoryWork {
  readonly #options: StoreOptions
  readonly #read: StoreRead
  readonly #known: KnownTexts
  readonly #files: MemoryFiles

  constructor(options: StoreOptions, read: StoreRead) {
    this.#options = options
    this.#read = read
    this.#known = knownTextsOf(options.storage)
    this.#files = new MemoryFiles(options.storage, this.#known, options.project)
  }

  /** The stores that there are, whether or not they are switched on. The profile can be read and changed even where its schema is not known. */
  get #targets(): readonly MemoryTarget[] {
    return targetsOf({ project: this.#options.project, profile: true })
  }

  get #rules(): ProfileRules | undefined {
    return this.#options.profile && rulesOf(this.#options.profile)
  }

  /** Undefined for one of them. Callers may be untyped. */
  #unknown(target: MemoryTarget): HermesError | undefined {
    return this.#targets.includes(target) ? undefined : unknownTarget(target, this.#options.project)
  }

  #projectOf(target: MemoryTarget): { readonly project?: string } {
    const { project } = this.#options
    return target === 'project' && project !== undefined ? { project } : {}
  }

  async load(cut?: Cut): Promise<Result<void>> {
    const { limits, enabled, maxBlockChars, onFailure, clock, zone } = this.#options
    const stored = await this.#files.read(
      targetsOf(this.#options).filter((target) => enabled[target]),
      cut,
    )
    const all = [...stored.values()]
    const results = new Set<Result<unknown>>([...all.map(({ facts }) => facts), ...all.map(({ document }) => document)])
    this.#read.problems = [...results].flatMap((each) => (each.ok ? [] : [each.error]))
    for (const problem of this.#read.problems) onFailure(problem)
    const now = clock()
    let day: string | undefined
    const today = () => (day ??= this.#today(now))
    const found: EntryFacts[] = []
    this.#read.hasExpired = false
    for (const [target, { facts, document }] of stored) {
      const known = factsOf(facts, target, this.#shown(target, document.ok ? document.value.entries : []))
      const over = new Set(known.filter((each) => isOver(each, today)))
      const held = known.filter((each) => !over.has(each) && !isAhead(each, today))
      const shown = { target, facts: held, charLimit: limits[target], scan: this.#known.scan }
      this.#read.states[target] = { facts: known, snapshot: await prepareBlock(shown, maxBlockChars) }
      found.push(...known)
      if (over.size > 0) this.#read.hasExpired = true
    }
    this.#read.oldAt = nextChange(found, zone, now)
    return ok(undefined)
  }

  /** In the user's time zone. */
  #today(at: number): string {
    return dayIn(this.#options.zone(), at)
  }

  /** Ends at the first entry that cannot be archived. */
  async archiveExpired(): Promise<Result<readonly ArchivedExpiry[]>> {
    const today = this.#today(this.#options.clock())
    const archived: ArchivedExpiry[] = []
    for (const target of this.#targets.filter((each) => this.#options.enabled[each])) {
      const facts = await this.#now(target)
      if (!facts.ok) return facts
      for (const { entry, until } of facts.value.filter((each) => isOver(each, () => today))) {
        const reason = `It held until ${until}.`
        const op = { action: 'remove', oldText: entry } as const
        const done = await this.change(target, op, { source: { origin: 'host', reason }, wholeEntries: true })
        if (!done.ok) return done
        archived.push({ reason, target, ...this.#projectOf(target), op, previous: [entry], facts: done.value.facts?.[0] })
      }
    }
    return ok(archived)
  }

  /** Of a profile what fits its schema. */
  #shown(target: MemoryTarget, entries: readonly string[]): readonly string[] {
    const rules = target === 'profile' ? this.#rules : undefined
    const fault = rules?.fault()
    if (fault === undefined) return rules?.fitting(entries) ?? entries
    this.#options.onFailure(new HermesError('invalid', fault))
    return []
  }

  async current(target: MemoryTarget): Promise<Result<readonly string[]>> {
    const facts = await this.#now(target)
    return facts.ok ? ok(facts.value.map(({ entry }) => entry)) : facts
  }

  facts(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>> {
    return this.#now(target, this.#options.onFailure)
  }

  async #now(target: MemoryTarget, onProblem?: (problem: HermesError) => void): Promise<Result<readonly EntryFacts[]>> {
    const unknown = this.#unknown(target)
    if (unknown) return err(unknown)
    if (!this.#options.enabled[target]) return ok([])
    const { facts, document } = (await this.#files.read([target])).get(target) ?? NOTHING_STORED
    if (!document.ok) return document
    if (!facts.ok) onProblem?.(facts.error)
    return ok(this.#see(target, facts, document.value.entries))
  }

  async archived(target?: MemoryTarget): Promise<Result<readonly ArchivedEntry[]>> {
    const unknown = target === undefined ? undefined : this.#unknown(target)
    if (unknown) return err(unknown)
    const found: ArchivedEntry[] = []
    const archives = new Map<string, Awaited<ReturnType<MemoryFiles['archive']>>>()
    for (const name of this.#targets.filter((each) => this.#options.enabled[each] && (target === undefined || each === target))) {
      const path = this.#files.pathsOf(name).archive
      const archive = archives.get(path) ?? (await this.#files.archive(name, this.#options.onFailure))
      archives.set(path, archive)
      if (!archive.ok) return archive
      const entries = await this.current(name)
      if (!entries.ok && target !== undefined) return entries
      if (entries.ok) found.push(...archivedOf(archive.value, name, entries.value))
      else this.#options.onFailure(entries.error)
    }
    return ok(found.sort((a, b) => b.forgottenAt - a.forgottenAt))
  }

  async restore(id: string): Promise<Result<MemoryOpOutcome>> {
    const place = String(id).startsWith('project-') ? 'project' : 'memory'
    const unknown = this.#unknown(place)
    if (unknown) return err(unknown)
    const archive = await this.#files.archive(place, this.#options.onFailure)
    const found = archive.ok ? findArchived(archive.value, id) : archive
    if (!found.ok) return found
    const { target, text: content, origin, firstSeenAt, ...rest } = found.value
    // An entry that is over comes back for good.
    const time = isOver(rest, () => this.#today(this.#options.clock())) ? {} : timeOf(rest)
    const source = origin === 'external' ? undefined : { origin, firstSeenAt }
    return this.change(target, { action: 'add', content, ...time }, { source, restoredFrom: id })
  }

  async pin(target: MemoryTarget, text: string, pinned: boolean): Promise<Result<PinnedEntry>> {
    const unknown = this.#unknown(target)
    if (unknown) return err(unknown)
    if (!this.#options.enabled[target]) return err(disabledTarget(target))
    const { log, onPin } = this.#options
    const request = {
      target,
      ...this.#projectOf(target),
      text,
      pinned,
      charLimit: this.#options.limits[target],
      isSecret: this.#known.isSecret,
    }
    const opened = await log?.()
    if (opened && !opened.ok) return opened
    const done = await this.#files.pin(request, opened?.value)
    if (done.ok && done.value.changed) await this.#tell(() => onPin(done.value))
    return done
  }

  async change(target: MemoryTarget, op: MemoryOp | readonly MemoryOp[], terms: ChangeTerms): Promise<Result<MemoryOpOutcome>> {
    const { source, mode, restoredFrom, writer, wholeEntries = false } = terms
    const unknown = this.#unknown(target)
    if (unknown) return err(unknown)
    if (!this.#options.enabled[target]) return err(disabledTarget(target))
    const { clock, evicts, log, onWrite } = this.#options
    const { scan } = this.#known
    // What an undo or an import brings back may be over; the next session start archives it.
    const isRecorded = mode === 'takes-back' || source?.firstSeenAt !== undefined
    const prepared = prepareOps(op, scan, isRecorded ? undefined : () => this.#today(clock()))
    if (!prepared.ok) return prepared
    const rules = target === 'profile' ? this.#rules : undefined
    const fault = rules?.fault()
    if (fault !== undefined) return err(new HermesError('invalid', fault))
    // A field makes room for no other.
    const limits = {
      charLimit: this.#options.limits[target],
      evicts: evicts && target !== 'profile',
      rules,
      wholeEntries,
      isSecret: this.#known.isSecret,
    }
    const paths = this.#files.pathsOf(target)
    // What has left one of the stores may come back to another.
    const archives = [...new Set([target, ...this.#targets].map((each) => this.#files.pathsOf(each).archive))]
    const change = { target, paths, archives, source, mode, at: clock(), scan, ...limits, ...prepared.value }
    const describe = (written: WrittenChange): MemoryWrite => {
      const place = { target, ...this.#projectOf(target) }
      const outcome = { ...place, ...toOutcome(target, written, change.charLimit) }
      const changes = describeEntryChanges(target, written, outcome.evicted)
      return { ...place, ops: written.ops, outcome, changes, source, writer, restoredFrom }
    }
    const opened = await log?.()
    if (opened && !opened.ok) return opened
    const lines = opened?.value
    const extra = lines && { path: lines.path, bytes: (written: WrittenChange) => lines.written(describe(written)) }
    const done = await this.#files.change(change, extra)
    if (!done.ok) return this.#refuse(target, prepared.value.batch, done.error)
    this.#read.failures.reset()
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
    return err(planned && counted ? this.#read.failures.count(error) : error)
  }

  #see(target: MemoryTarget, known: Result<Facts>, entries: readonly string[]): readonly EntryFacts[] {
    const facts = factsOf(known, target, entries)
    this.#read.states[target] = { snapshot: this.#read.states[target]?.snapshot, facts }
    return facts
  }
}
