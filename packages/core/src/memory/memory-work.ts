/** What a memory store does, with all rules of memory: loaded when a verb of a store is first called, since a start that shows a kept text needs none of it. */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { Cut } from '../storage/storage-backend.ts'
import type { PinnedEntry } from './change-facts.ts'
import type { RefusedChange, WrittenChange } from './change-memory.ts'
import { describeEntryChanges, toOutcome } from './describe-change.ts'
import { type Facts, factsOf, NO_FACTS } from './facts.ts'
import { type ArchivedEntry, archivedOf, findArchived } from './memory-archive.ts'
import { prepareBlock } from './memory-block.ts'
import { type KnownTexts, knownTextsOf, MemoryFiles, NO_ENTRIES } from './memory-files.ts'
import { type EntryFacts, isMemoryTarget, MEMORY_TARGETS, type MemoryOp, type MemoryOpOutcome, type MemoryTarget } from './memory-op.ts'
import { disabledTarget, unknownTarget } from './memory-refusal.ts'
import type { ChangeTerms, MemoryWrite, StoreOptions, StoreRead } from './memory-store-options.ts'
import { prepareOps } from './plan-change.ts'

export class MemoryWork {
  readonly #options: StoreOptions
  readonly #read: StoreRead
  readonly #known: KnownTexts
  readonly #files: MemoryFiles

  constructor(options: StoreOptions, read: StoreRead) {
    this.#options = options
    this.#read = read
    this.#known = knownTextsOf(options.storage)
    this.#files = new MemoryFiles(options.storage, this.#known)
  }

  async load(cut?: Cut): Promise<Result<void>> {
    const { limits, enabled, maxBlockChars, onFailure } = this.#options
    const targets = MEMORY_TARGETS.filter((target) => enabled[target])
    const { facts, documents } = await this.#files.read(targets, cut)
    this.#read.problems = [facts, ...documents.values()].flatMap((each) => (each.ok ? [] : [each.error]))
    for (const problem of this.#read.problems) onFailure(problem)
    for (const target of targets) {
      const document = documents.get(target)
      const known = factsOf(facts, target, document?.ok ? document.value.entries : [])
      const shown = { target, facts: known, charLimit: limits[target], scan: this.#known.scan }
      this.#read.states[target] = { facts: known, snapshot: await prepareBlock(shown, maxBlockChars) }
    }
    return ok(undefined)
  }

  async current(target: MemoryTarget): Promise<Result<readonly string[]>> {
    const facts = await this.#now(target)
    return facts.ok ? ok(facts.value.map(({ entry }) => entry)) : facts
  }

  facts(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>> {
    return this.#now(target, this.#options.onFailure)
  }

  async #now(target: MemoryTarget, onProblem?: (problem: HermesError) => void): Promise<Result<readonly EntryFacts[]>> {
    if (!isMemoryTarget(target)) return err(unknownTarget(target))
    if (!this.#options.enabled[target]) return ok([])
    const { facts, documents } = await this.#files.read([target])
    const document = documents.get(target) ?? ok(NO_ENTRIES)
    if (!document.ok) return document
    if (!facts.ok) onProblem?.(facts.error)
    return ok(this.#see(target, facts, document.value.entries))
  }

  async archived(target?: MemoryTarget): Promise<Result<readonly ArchivedEntry[]>> {
    if (target !== undefined && !isMemoryTarget(target)) return err(unknownTarget(target))
    const found: ArchivedEntry[] = []
    const archive = await this.#files.archive(this.#options.onFailure)
    if (!archive.ok) return archive
    for (const name of MEMORY_TARGETS.filter((each) => this.#options.enabled[each] && (target === undefined || each === target))) {
      const entries = await this.current(name)
      if (!entries.ok && target !== undefined) return entries
      if (entries.ok) found.push(...archivedOf(archive.value, name, entries.value))
      else this.#options.onFailure(entries.error)
    }
    return ok(found.sort((a, b) => b.forgottenAt - a.forgottenAt))
  }

  async restore(id: string): Promise<Result<MemoryOpOutcome>> {
    const archive = await this.#files.archive(this.#options.onFailure)
    const found = archive.ok ? findArchived(archive.value, id) : archive
    if (!found.ok) return found
    const { target, text: content, origin, firstSeenAt } = found.value
    const source = origin === 'external' ? undefined : { origin, firstSeenAt }
    return this.change(target, { action: 'add', content }, { source, restoredFrom: id })
  }

  async pin(target: MemoryTarget, text: string, pinned: boolean): Promise<Result<PinnedEntry>> {
    if (!isMemoryTarget(target)) return err(unknownTarget(target))
    if (!this.#options.enabled[target]) return err(disabledTarget(target))
    const { log, onPin } = this.#options
    const request = { target, text, pinned, charLimit: this.#options.limits[target], isSecret: this.#known.isSecret }
    const opened = await log?.()
    if (opened && !opened.ok) return opened
    const done = await this.#files.pin(request, opened?.value)
    if (done.ok && done.value.changed) await this.#tell(() => onPin(done.value))
    return done
  }

  async change(target: MemoryTarget, op: MemoryOp | readonly MemoryOp[], terms: ChangeTerms): Promise<Result<MemoryOpOutcome>> {
    const { source, mode, restoredFrom, writer, wholeEntries = false } = terms
    if (!isMemoryTarget(target)) return err(unknownTarget(target))
    if (!this.#options.enabled[target]) return err(disabledTarget(target))
    const { clock, evicts, log, onWrite } = this.#options
    const { scan } = this.#known
    const prepared = prepareOps(op, scan)
    if (!prepared.ok) return prepared
    const limits = { charLimit: this.#options.limits[target], evicts, wholeEntries, isSecret: this.#known.isSecret }
    const change = { target, source, mode, at: clock(), scan, ...limits, ...prepared.value }
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
