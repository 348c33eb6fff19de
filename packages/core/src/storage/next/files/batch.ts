/** The plans of the updates that wait, run one after another in memory. What comes of it is one record of the log. */
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { applyPlan, type Documents } from '../../apply-plan.ts'
import { type VersionedDocument as StoredDocument, toDocument } from '../../backends/file-system/document-file.ts'
import { lstat } from '../../backends/file-system/file-calls.ts'
import { temporaryName } from '../../backends/file-system/temporary-files.ts'
import { type CheckedPlan, checkPlan } from '../../checked-plan.ts'
import { isBelow } from '../../document-tree.ts'
import { makeCut } from '../../make-cut.ts'
import type { NamedPaths } from '../../named-paths.ts'
import type { Cut, Plan } from '../../storage-backend.ts'
import { type Found, findDocument, listDocuments } from './disk.ts'
import type { LogRecord, PutEntry } from './log-record.ts'
import { type HomePaths, refuseOwnFiles, SHARED_DOCUMENTS } from './paths.ts'
import { differenceOf } from './shared-documents.ts'

interface Change {
  /** The whole document, null to remove it; or what goes to its end. */
  readonly bytes: Uint8Array | null
  /** Where an append goes. */
  readonly offset?: number
  readonly executable: boolean
  readonly base: StoredDocument | undefined
}

const join = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Where a document is on disk that is at `path` after the moves. */
const placeBefore = (path: string, moves: CheckedPlan<unknown>['moves']): string =>
  moves.toReversed().reduce((place, [from, to]) => (place === to || isBelow(place, to) ? from + place.slice(to.length) : place), path)

const linkInPlace = (path: string): HermesError =>
  new HermesError(
    'invalid_path',
    `'${path}' is a symbolic link, which a write would replace. Put the real file in its place. Nothing was written.`,
  )

const PLACEHOLDER: StoredDocument = { bytes: new Uint8Array(), version: '' }

export class Batch {
  readonly #home: HomePaths
  readonly #found: Map<string, Promise<Found>>
  readonly #changes = new Map<string, Change>()
  readonly #emptyFolders = new Set<string>()
  #moves: CheckedPlan<unknown>['moves'] = []

  /** `found`: what was found since the lock was taken; nobody else who takes the lock has changed it. */
  constructor(home: HomePaths, found: Map<string, Promise<Found>>) {
    this.#home = home
    this.#found = found
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0 && this.#moves.length === 0
  }

  /** Folders without documents, in the place of a document or of the target of a move. */
  get emptyFolders(): ReadonlySet<string> {
    return this.#emptyFolders
  }

  /** Begins to read. */
  find(path: string): Promise<Found> {
    let found = this.#found.get(path)
    if (!found) {
      found = findDocument(this.#home, path)
      this.#found.set(path, found)
    }
    return found
  }

  /** As the plans so far leave it. The caller may change its bytes. */
  async #now(path: string): Promise<StoredDocument | HermesError | undefined> {
    const change = this.#changes.get(path)
    if (change && change.offset === undefined) return change.bytes ? toDocument(new Uint8Array(change.bytes), change.executable) : undefined
    const found = await this.find(path)
    if (found.kind === 'fault') return found.error
    if (found.kind !== 'document') return undefined
    const { bytes, executable = false } = found.document
    return toDocument(change?.bytes ? join(bytes, change.bytes) : new Uint8Array(bytes), executable)
  }

  async #cut(named: NamedPaths): Promise<Result<Cut>> {
    const documents = new Map<string, StoredDocument | HermesError>()
    for (const path of named.documents) {
      const document = await this.#now(path)
      if (document) documents.set(path, document)
    }
    const listed = await listDocuments(this.#home, named.folders, true)
    return listed.ok ? ok(makeCut(named, { documents, infos: listed.value.infos })) : listed
  }

  /**
   * Runs a plan on what the plans before it left. `later`: it lists or moves what they changed, so it needs a commit of its own. Throws what the plan throws;
   * nothing of it is done then.
   */
  async run<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<T> | 'later'> {
    const lists = named.folders.some((folder) => [...this.#changes.keys()].some((path) => isBelow(path, folder)))
    if (lists || this.#moves.length > 0) return 'later'
    const cut = await this.#cut(named)
    if (!cut.ok) return cut
    const planned = checkPlan(plan(cut.value), named)
    if (planned.moves.length > 0 && !this.isEmpty) return 'later'
    const bases = await this.#bases(planned)
    if (!bases.ok) return bases
    const facts = await this.#facts(planned, bases.value)
    if (!facts.ok) return facts
    const after = applyPlan(facts.value, planned)
    if (!after.ok) return after
    await this.#add(planned, bases.value)
    return ok(planned.value)
  }

  /** What each put and append finds; a number is the size of a document that is only appended to. */
  async #bases({ moves, puts, appends }: CheckedPlan<unknown>): Promise<Result<ReadonlyMap<string, Found | number>>> {
    const own = refuseOwnFiles([...moves.flat(), ...puts.keys(), ...appends.keys()])
    if (!own.ok) return own
    const bases = new Map<string, Found | number>()
    for (const path of [...puts.keys(), ...appends.keys()]) {
      const place = placeBefore(path, moves)
      const size = puts.has(path) || this.#found.has(place) ? undefined : await this.#sizeOf(place)
      const base = size ?? (await this.find(place))
      if (typeof base === 'object') {
        if (base.kind === 'fault') return err(base.error)
        if (base.kind === 'none' && base.blocked && !this.#changes.has(path)) return err(base.blocked)
        if (base.kind === 'document' && base.isLink) return err(linkInPlace(path))
      }
      bases.set(path, base)
    }
    return ok(bases)
  }

  /** Of a plain file, which an append need not read. */
  async #sizeOf(path: string): Promise<number | undefined> {
    const located = await this.#home.locate(path)
    if (!located.ok || located.value.blocked || SHARED_DOCUMENTS.includes(path)) return undefined
    try {
      const status = await lstat(located.value.file)
      return status.isFile() ? status.size : undefined
    } catch {
      // `find` says why.
      return undefined
    }
  }

  /** The documents that may be in the way of a plan, or be moved by it. */
  async #facts({ moves }: CheckedPlan<unknown>, bases: ReadonlyMap<string, Found | number>): Promise<Result<Documents>> {
    const facts: Documents = new Map()
    const folders: string[] = moves.flat()
    for (const [path, base] of bases) {
      const place = placeBefore(path, moves)
      if (typeof base === 'number' || base.kind === 'document') facts.set(place, PLACEHOLDER)
      else if (base.kind === 'folder') folders.push(place)
    }
    for (const path of moves.flat()) {
      const found = await this.find(path)
      if (found.kind === 'fault') return err(found.error)
      if (found.kind === 'document') facts.set(path, PLACEHOLDER)
      else if (found.kind === 'none' && found.blocked && moves.some(([, to]) => to === path)) return err(found.blocked)
    }
    const listed = await listDocuments(this.#home, folders, true)
    if (!listed.ok) return listed
    for (const { path } of listed.value.infos) facts.set(path, PLACEHOLDER)
    for (const [path, { bytes }] of this.#changes) {
      if (bytes === null) facts.delete(path)
      else facts.set(path, PLACEHOLDER)
    }
    return ok(facts)
  }

  async #add({ moves, puts, appends }: CheckedPlan<unknown>, bases: ReadonlyMap<string, Found | number>): Promise<void> {
    this.#moves = moves
    for (const [, to] of moves) if ((await this.find(to)).kind === 'folder') this.#emptyFolders.add(to)
    for (const [path, put] of puts) {
      const found = bases.get(path)
      if (put && moves.length === 0 && typeof found === 'object' && found.kind === 'folder') this.#emptyFolders.add(path)
      const base = typeof found === 'object' && found.kind === 'document' ? found.document : undefined
      const executable = put?.executable ?? this.#changes.get(path)?.executable ?? base?.executable ?? false
      if (put || base || this.#changes.has(path)) this.#changes.set(path, { bytes: put && new Uint8Array(put.bytes), executable, base })
    }
    for (const [path, more] of appends) this.#append(path, more, bases.get(path))
  }

  #append(path: string, more: Uint8Array, found: Found | number | undefined): void {
    const before = this.#changes.get(path)
    const base = typeof found === 'object' && found.kind === 'document' ? found.document : undefined
    const executable = base?.executable ?? false
    if (before) this.#changes.set(path, { ...before, bytes: join(before.bytes ?? new Uint8Array(), more) })
    else if (typeof found === 'number') this.#changes.set(path, { bytes: new Uint8Array(more), offset: found, executable, base: undefined })
    else if (!base || SHARED_DOCUMENTS.includes(path))
      this.#changes.set(path, { bytes: join(base?.bytes ?? new Uint8Array(), more), executable, base })
    else this.#changes.set(path, { bytes: new Uint8Array(more), offset: base.bytes.length, executable, base })
  }

  /** After its commit: what a later batch finds. */
  remember(): void {
    const makesOrRemoves = [...this.#changes.values()].some(({ bytes, base, offset }) => bytes === null || (!base && offset === undefined))
    // Then folders have come or gone too.
    if (this.#moves.length > 0 || makesOrRemoves) this.#found.clear()
    else
      for (const [path, { bytes, offset, executable, base }] of this.#changes) {
        const whole = offset === undefined ? bytes : base && bytes && join(base.bytes, bytes)
        if (whole) this.#found.set(path, Promise.resolve({ kind: 'document', document: toDocument(whole, executable), isLink: false }))
        else this.#found.delete(path)
      }
  }

  /** What the plans do together. */
  toRecord(number: number): LogRecord {
    const puts: PutEntry[] = []
    const appends: LogRecord['appends'][number][] = []
    for (const [path, { bytes, offset, executable, base }] of this.#changes) {
      if (offset !== undefined) appends.push({ path, offset, bytes: bytes ?? new Uint8Array() })
      else {
        const isMoved = this.#moves.flat().some((end) => path === end || isBelow(path, end))
        const difference = SHARED_DOCUMENTS.includes(path) && bytes && !isMoved ? differenceOf(path, base?.bytes, bytes) : undefined
        const shared = difference && { temporary: temporaryName(), difference }
        puts.push({ path, bytes, executable, old: base?.version, ...(shared ? { shared } : {}) })
      }
    }
    return { number, moves: this.#moves, puts, appends }
  }
}
