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
import { MEMORY_ARCHIVE_PATH, PYTHON_ARCHIVE_PATH } from '../storage/storage-paths.ts'
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
import { type Facts, type FactsFile, moreFacts, NO_FACTS, NO_RECORDS, parseFacts, writeFacts } from './facts.ts'
import { type ArchivedEntry, readArchiveInSlices } from './memory-archive.ts'
import { AT_ONCE_BYTES, decodeMemoryDocument, documentIn, type MemoryDocument } from './memory-document.ts'
import type { MemoryTarget } from './memory-op.ts'
import { type MemoryPaths, memoryPathsOf } from './memory-paths.ts'
import type { MemoryLog } from './memory-store-options.ts'
import { readPythonArchive } from './python-archive.ts'

const NO_ENTRIES: MemoryDocument = { entries: [], hasCosmeticDrift: false }

interface Parsed<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

/** Documents whose latest bytes are remembered; a home may have many projects. */
const MAX_DOCUMENTS = 64

/** What was last read of each document, by its path. */
class LatestBytes<T> {
  // A Map keeps insertion order, so the first key is the one that was read first.
  readonly #documents = new Map<string, Parsed<T>>()

  get(path: string): Parsed<T> | undefined {
    return this.#documents.get(path)
  }

  set(path: string, parsed: Parsed<T>): void {
    this.#documents.delete(path)
    this.#documents.set(path, parsed)
    const [oldest] = this.#documents.keys()
    if (this.#documents.size > MAX_DOCUMENTS && oldest !== undefined) this.#documents.delete(oldest)
  }
}

/** Of the latest bytes of each document, and of a bounded number of texts. */
export class KnownTexts {
  readonly scan: MemoryScan = createMemoryScan()
  /** As `holdsCredential`. */
  readonly isSecret: (text: string) => boolean = byText(holdsCredential)
  readonly #documents = new LatestBytes<MemoryDocument>()
  readonly #facts = new LatestBytes<FactsFile>()

  /** Where lines were appended to what was read last, only these are read. */
  facts(path: string, bytes: Uint8Array | undefined): Result<FactsFile> {
    const last = this.#facts.get(path)
    const known = bytes && last && startsWithBytes(bytes, last.bytes) ? last : undefined
    if (bytes && known && bytes.length === known.bytes.length) return ok(known.value)
    const more = bytes && known && moreFacts(known.value, known.bytes, bytes)
    const parsed = more ? ok(more) : parseFacts(bytes, path)
    if (parsed.ok && bytes) this.#facts.set(path, { bytes, value: parsed.value })
    return parsed
  }

  /** Undefined for a file that takes long to decode: call `decodeLarge`, and then this again. */
  decode(path: string, bytes: Uint8Array | undefined): Result<MemoryDocument> | undefined {
    const known = this.#documents.get(path)
    if (bytes && known && equalBytes(known.bytes, bytes)) return ok(known.value)
    if (bytes && bytes.length > AT_ONCE_BYTES) return undefined
    const decoded = decodeMemoryDocument(path, bytes)
    if (decoded.ok && bytes) this.#documents.set(path, { bytes, value: decoded.value })
    return decoded
  }

  /** Other work runs in between. */
  async decodeLarge(path: string, bytes: Uint8Array): Promise<Result<MemoryDocument>> {
    const decoded = await withLazy(
      'The code that reads large files',
      () => import('./large-document.ts'),
      ({ decodeInSlices }) => decodeInSlices(path, bytes),
    )
    if (decoded.ok) this.#documents.set(path, { bytes, value: decoded.value })
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

/** What was read of one store. */
export interface StoredEntries {
  readonly document: Result<MemoryDocument>
  readonly facts: Result<Facts>
}

export const NOTHING_STORED: StoredEntries = { document: ok(NO_ENTRIES), facts: ok(NO_FACTS) }

export class MemoryFiles {
  readonly #storage: StorageBackend
  readonly #known: KnownTexts
  readonly #project: string | undefined

  constructor(storage: StorageBackend, known: KnownTexts, project: string | undefined) {
    this.#storage = storage
    this.#known = known
    this.#project = project
  }

  pathsOf(target: MemoryTarget): MemoryPaths {
    return memoryPathsOf(target, this.#project)
  }

  /** Never fails as a whole. `from`: a cut of these documents, if there is one. */
  async read(targets: readonly MemoryTarget[], from?: Cut): Promise<ReadonlyMap<MemoryTarget, StoredEntries>> {
    const all = targets.map((target) => ({ target, paths: this.pathsOf(target) }))
    const cut = from ? ok(from) : await this.#storage.read([...new Set(all.flatMap(({ paths }) => [paths.file, paths.facts]))])
    const stored = new Map<MemoryTarget, StoredEntries>()
    const factsAt = new Map<string, Result<Facts>>()
    for (const { target, paths } of all) {
      const facts = factsAt.get(paths.facts) ?? this.#factsIn(cut, paths)
      factsAt.set(paths.facts, facts)
      const file = cut.ok ? documentIn(cut.value, paths.file) : cut
      const bytes = file.ok ? file.value?.bytes : undefined
      const decoded = this.#known.decode(paths.file, bytes) ?? (bytes ? await this.#known.decodeLarge(paths.file, bytes) : ok(NO_ENTRIES))
      stored.set(target, { facts, document: file.ok ? decoded : file })
    }
    return stored
  }

  #factsIn(cut: Result<Cut>, { facts: path }: MemoryPaths): Result<Facts> {
    const lines = cut.ok ? documentIn(cut.value, path) : cut
    const parsed = lines.ok ? this.#known.facts(path, lines.value?.bytes) : lines
    return parsed.ok ? ok(parsed.value.facts) : parsed
  }

  async archive(target: MemoryTarget, onProblem: (problem: HermesError) => void): Promise<Result<ReadonlyMap<string, ArchivedEntry>>> {
    const { archive } = this.pathsOf(target)
    const ofPython = archive === MEMORY_ARCHIVE_PATH ? [PYTHON_ARCHIVE_PATH] : []
    const cut = await this.#storage.read([archive, ...ofPython])
    const document = cut.ok ? documentIn(cut.value, archive) : cut
    if (!document.ok) return document
    const entries = await readArchiveInSlices(document.value?.bytes, onProblem, archive)
    const python = cut.ok && ofPython.length > 0 ? documentIn(cut.value, PYTHON_ARCHIVE_PATH) : ok(undefined)
    if (!python.ok) onProblem(python.error)
    if (!python.ok || !python.value) return ok(entries)
    // What is known of an entry here counts.
    return ok(new Map([...(await readPythonArchive(python.value.bytes, onProblem)), ...entries]))
  }

  /** The plan gets the file and the facts as they are. `paths`: what else the update names. */
  async update<T>(
    target: MemoryTarget,
    paths: readonly string[],
    plan: (cut: Cut, now: Result<MemoryFileNow>) => Plan<Result<T>>,
  ): Promise<Result<T>> {
    const own = this.pathsOf(target)
    for (;;) {
      const done = await this.#storage.update([own.file, own.facts, ...paths], (cut): Plan<Result<T> | LargeFile> => {
        const file = documentIn(cut, own.file)
        if (!file.ok) return plan(cut, file)
        const bytes = file.value?.bytes
        const document = this.#known.decode(own.file, bytes)
        if (!document) return { value: { large: bytes ?? new Uint8Array() } }
        if (!document.ok) return plan(cut, document)
        const stored = documentIn(cut, own.facts)
        const facts = stored.ok ? this.#known.facts(own.facts, stored.value?.bytes) : stored
        return plan(cut, facts.ok ? ok({ bytes, document: document.value, facts: facts.value }) : facts)
      })
      if (!done.ok) return done
      if (!('large' in done.value)) return done.value
      const decoded = await this.#known.decodeLarge(own.file, done.value.large)
      if (!decoded.ok) return decoded
    }
  }

  /** `log`: gets a line if the pin changes. */
  pin(request: PinRequest, log: MemoryLog | undefined): Promise<Result<PinnedEntry>> {
    const { target } = request
    const paths = this.pathsOf(target)
    return this.update(target, log ? [log.path] : [], (_, now): Plan<Result<PinnedEntry>> => {
      if (!now.ok) return { value: now }
      const planned = planPin(now.value.document.entries, now.value.facts.facts[target] ?? NO_RECORDS, request)
      if (!planned.ok) return { value: planned }
      const { pinned, records } = planned.value
      const { put, append } = writeFacts(now.value.facts, target, records)
      return {
        ...(put ? { put: { [paths.facts]: put } } : {}),
        append: { ...(append ? { [paths.facts]: append } : {}), ...(log && pinned.changed ? { [log.path]: log.pinned(pinned) } : {}) },
        value: ok(pinned),
      }
    })
  }

  /** A file with white space to tidy is rare; it is read again with its backups. */
  async change(change: MemoryChange, extra: ExtraLines | undefined): Promise<Result<WrittenChange, RefusedChange>> {
    const { target, archives } = change
    const { folder, file } = this.pathsOf(target)
    let backups: readonly string[] | undefined
    for (;;) {
      const paths = [...archives, ...(backups ? [`${folder}/`, ...backups] : []), ...(extra ? [extra.path] : [])]
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
      const listed = await this.#storage.list(folder)
      if (!listed.ok) return err({ error: listed.error, planned: false })
      backups = backupsIn(listed.value, { file }).map(({ path }) => path)
    }
  }
}
