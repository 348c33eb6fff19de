/**
 * The documents of the two stores: read in one cut, changed in one update. What was found out about texts and documents is remembered: it depends on them alone,
 * so that a new session or write need not search all entries of its home again.
 */

import { byText } from '../shared/by-text.ts'
import { equalBytes, startsWithBytes } from '../shared/equal-bytes.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { Cut, Plan, StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_FOLDER, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { type PinnedEntry, type PinRequest, planPin } from './change-facts.ts'
import {
  backupsIn,
  type ChangePlan,
  type MemoryChange,
  type MemoryFileNow,
  planMemoryChange,
  type RefusedChange,
  type WrittenChange,
} from './change-memory.ts'
import { type Facts, type FactsFile, moreFacts, parseFacts, writeFacts } from './facts.ts'
import { type ArchivedEntry, readArchiveInSlices } from './memory-archive.ts'
import { AT_ONCE_BYTES, decodeMemoryDocument, documentIn, type MemoryDocument } from './memory-document.ts'
import type { MemoryTarget } from './memory-op.ts'
import type { MemoryLog } from './memory-store-options.ts'

export const NO_ENTRIES: MemoryDocument = { entries: [], hasCosmeticDrift: false }

interface Parsed<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

/** Of the latest bytes of each document, and of a bounded number of texts. */
export class KnownTexts {
  readonly scan: MemoryScan = createMemoryScan()
  /** As `holdsCredential`. */
  readonly isSecret: (text: string) => boolean = byText(holdsCredential)
  readonly #documents: Partial<Record<MemoryTarget, Parsed<MemoryDocument>>> = {}
  #facts: Parsed<FactsFile> | undefined

  /** Where lines were appended to what was read last, only these are read. */
  facts(bytes: Uint8Array | undefined): Result<FactsFile> {
    const known = bytes && this.#facts && startsWithBytes(bytes, this.#facts.bytes) ? this.#facts : undefined
    if (bytes && known && bytes.length === known.bytes.length) return ok(known.value)
    const more = bytes && known && moreFacts(known.value, known.bytes, bytes)
    const parsed = more ? ok(more) : parseFacts(bytes)
    if (parsed.ok && bytes) this.#facts = { bytes, value: parsed.value }
    return parsed
  }

  /** Undefined for a file that takes long to decode: call `decodeLarge`, and then this again. */
  decode(target: MemoryTarget, bytes: Uint8Array | undefined): Result<MemoryDocument> | undefined {
    const known = this.#documents[target]
    if (bytes && known && equalBytes(known.bytes, bytes)) return ok(known.value)
    if (bytes && bytes.length > AT_ONCE_BYTES) return undefined
    const decoded = decodeMemoryDocument(target, bytes)
    if (decoded.ok && bytes) this.#documents[target] = { bytes, value: decoded.value }
    return decoded
  }

  /** Other work runs in between. */
  async decodeLarge(target: MemoryTarget, bytes: Uint8Array): Promise<Result<MemoryDocument>> {
    const decoded = await withLazy(
      'The code that reads large files',
      () => import('./large-document.ts'),
      ({ decodeInSlices }) => decodeInSlices(target, bytes),
    )
    if (decoded.ok) this.#documents[target] = { bytes, value: decoded.value }
    return decoded
  }
}

const known = new WeakMap<object, KnownTexts>()

/** Shared by the stores of one storage object, which is that of one home, and dropped with it. */
export const knownTextsOf = (storage: StorageBackend & { readonly base?: object }): KnownTexts => {
  // A transaction is over soon.
  const { base = storage } = storage
  const found = known.get(base) ?? new KnownTexts()
  known.set(base, found)
  return found
}

/** What is appended to another document in the same update. */
export interface ExtraLines {
  readonly path: string
  readonly bytes: (written: WrittenChange) => Uint8Array
}

/** A file that has to be decoded before the plan can run. */
interface LargeFile {
  readonly large: Uint8Array
}

export class MemoryFiles {
  readonly #storage: StorageBackend
  readonly #known: KnownTexts

  constructor(storage: StorageBackend, known: KnownTexts) {
    this.#storage = storage
    this.#known = known
  }

  /** Never fails as a whole. `from`: a cut of these documents, if there is one. */
  async read(targets: readonly MemoryTarget[], from?: Cut) {
    const cut = from ? ok(from) : await this.#storage.read([...targets.map((target) => MEMORY_PATHS[target]), FACTS_PATH])
    const stored = cut.ok ? documentIn(cut.value, FACTS_PATH) : cut
    const parsed = stored.ok ? this.#known.facts(stored.value?.bytes) : stored
    const facts: Result<Facts> = parsed.ok ? ok(parsed.value.facts) : parsed
    const documents = new Map<MemoryTarget, Result<MemoryDocument>>()
    for (const target of targets) {
      const file = cut.ok ? documentIn(cut.value, MEMORY_PATHS[target]) : cut
      const bytes = file.ok ? file.value?.bytes : undefined
      const decoded = this.#known.decode(target, bytes) ?? (bytes ? await this.#known.decodeLarge(target, bytes) : ok(NO_ENTRIES))
      documents.set(target, file.ok ? decoded : file)
    }
    return { facts, documents }
  }

  async archive(onProblem: (problem: HermesError) => void): Promise<Result<ReadonlyMap<string, ArchivedEntry>>> {
    const cut = await this.#storage.read([MEMORY_ARCHIVE_PATH])
    const document = cut.ok ? documentIn(cut.value, MEMORY_ARCHIVE_PATH) : cut
    return document.ok ? ok(await readArchiveInSlices(document.value?.bytes, onProblem)) : document
  }

  /** The plan gets the file and the facts as they are. `paths`: what else the update names. */
  async update<T>(
    target: MemoryTarget,
    paths: readonly string[],
    plan: (cut: Cut, now: Result<MemoryFileNow>) => Plan<Result<T>>,
  ): Promise<Result<T>> {
    for (;;) {
      const done = await this.#storage.update([MEMORY_PATHS[target], FACTS_PATH, ...paths], (cut): Plan<Result<T> | LargeFile> => {
        const file = documentIn(cut, MEMORY_PATHS[target])
        if (!file.ok) return plan(cut, file)
        const bytes = file.value?.bytes
        const document = this.#known.decode(target, bytes)
        if (!document) return { value: { large: bytes ?? new Uint8Array() } }
        if (!document.ok) return plan(cut, document)
        const stored = documentIn(cut, FACTS_PATH)
        const facts = stored.ok ? this.#known.facts(stored.value?.bytes) : stored
        return plan(cut, facts.ok ? ok({ bytes, document: document.value, facts: facts.value }) : facts)
      })
      if (!done.ok) return done
      if (!('large' in done.value)) return done.value
      const decoded = await this.#known.decodeLarge(target, done.value.large)
      if (!decoded.ok) return decoded
    }
  }

  /** `log`: gets a line if the pin changes. */
  pin(request: PinRequest, log: MemoryLog | undefined): Promise<Result<PinnedEntry>> {
    const { target } = request
    return this.update(target, log ? [log.path] : [], (_, now): Plan<Result<PinnedEntry>> => {
      if (!now.ok) return { value: now }
      const planned = planPin(now.value.document.entries, now.value.facts.facts[target], request)
      if (!planned.ok) return { value: planned }
      const { pinned, records } = planned.value
      const { put, append } = writeFacts(now.value.facts, target, records)
      return {
        ...(put ? { put: { [FACTS_PATH]: put } } : {}),
        append: { ...(append ? { [FACTS_PATH]: append } : {}), ...(log && pinned.changed ? { [log.path]: log.pinned(pinned) } : {}) },
        value: ok(pinned),
      }
    })
  }

  /** A file with white space to tidy is rare; it is read again with its backups. */
  async change(change: MemoryChange, extra: ExtraLines | undefined): Promise<Result<WrittenChange, RefusedChange>> {
    const { target } = change
    let backups: readonly string[] | undefined
    for (;;) {
      const paths = [MEMORY_ARCHIVE_PATH, ...(backups ? [`${MEMORY_FOLDER}/`, ...backups] : []), ...(extra ? [extra.path] : [])]
      const done = await this.update(target, paths, (cut, now): Plan<Result<ChangePlan>> => {
        if (!now.ok) return { value: now }
        const planned = planMemoryChange(cut, change, now.value, backups)
        if (planned.kind === 'needs backups') return { value: ok(planned) }
        if (planned.kind === 'refused') return { put: planned.put, value: ok(planned) }
        const append = extra ? { ...planned.append, [extra.path]: extra.bytes(planned.change) } : planned.append
        return { put: planned.put, append, value: ok(planned) }
      })
      if (!done.ok) return err({ error: done.error, planned: false })
      if (done.value.kind === 'refused') return err(done.value.refusal)
      if (done.value.kind === 'written') return ok(done.value.change)
      const listed = await this.#storage.list(MEMORY_FOLDER)
      if (!listed.ok) return err({ error: listed.error, planned: false })
      backups = backupsIn(listed.value, target).map(({ path }) => path)
    }
  }
}
