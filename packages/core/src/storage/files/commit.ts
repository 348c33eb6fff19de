/** The plans of updates that wait, run one after another in memory; what comes of it is one record of the log. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { applyPlan, type Documents, toStoredDocument } from '../apply-plan.ts'
import type { CheckedPlan } from '../checked-plan.ts'
import { isBelow } from '../document-tree.ts'
import type { NamedPaths } from '../named-paths.ts'
import { runPlan } from '../run-plan.ts'
import type { Cut, Plan, StoredDocument } from '../storage-backend.ts'
import { type Change, EMPTY, foundAfter, inTheWay, isSameFile, join, recordOf, sameFile, ThrownByPlan } from './changes.ts'
import { isEmptyTree, statusAt } from './disk.ts'
import { type Found, findDocument, isStillThere } from './documents.ts'
import { type Home, refuseOwnFiles, SHARED_DOCUMENTS } from './home.ts'
import { listDocuments, toStored } from './list-documents.ts'
import type { LogRecord, MoveEntry } from './log-record.ts'

// Larger ones are read only for a plan that asks for them.
const READ_AHEAD = 64 * 1024

const PLACEHOLDER: StoredDocument = { bytes: EMPTY }

// Where a document is on disk that is at `path` after the moves.
const placeBefore = (path: string, moves: CheckedPlan<unknown>['moves']): string =>
  moves.toReversed().reduce((place, [from, to]) => (place === to || isBelow(place, to) ? from + place.slice(to.length) : place), path)

class NotReadYet extends Error {}

export class Commit {
  readonly #home: Home
  readonly #found: Map<string, Promise<Found>>
  readonly #changes = new Map<string, Change>()
  #moves: readonly MoveEntry[] = []

  /** `found`: what was found since the lock was taken; nobody else who takes the lock has changed it. */
  constructor(home: Home, found: Map<string, Promise<Found>>) {
    this.#home = home
    this.#found = found
  }

  get isEmpty(): boolean {
    return this.#changes.size + this.#moves.length === 0
  }

  /** Begins to read. */
  find(path: string, mostBytes = READ_AHEAD): Promise<Found> {
    let found = this.#found.get(path)
    if (!found) {
      const looked = findDocument(this.#home, path, mostBytes)
      this.#found.set(path, looked)
      // The next one who asks looks again.
      const forget = () => this.#found.get(path) === looked && this.#found.delete(path)
      looked.then(({ kind }) => kind === 'fault' && forget(), forget)
      found = looked
    }
    return found
  }

  /** With its bytes, however many. */
  async #findWhole(path: string): Promise<Found> {
    const found = await this.find(path, Number.POSITIVE_INFINITY)
    if (found.kind !== 'document' || found.bytes) return found
    this.#found.delete(path)
    return this.find(path, Number.POSITIVE_INFINITY)
  }

  /** As the plans so far leave it; the caller may change its bytes. */
  async #now(path: string): Promise<StoredDocument | HermesError | 'not read' | undefined> {
    const change = this.#changes.get(path)
    if (change?.whole === null) return undefined
    if (change?.whole) return toStoredDocument(new Uint8Array(change.whole), change.executable)
    const found = await this.find(path)
    const grown = change?.appended ?? EMPTY
    if (found.kind !== 'document') return change ? toStoredDocument(new Uint8Array(grown), false) : toStored(this.#home, path, found)
    return found.bytes ? toStoredDocument(join(new Uint8Array(found.bytes), grown), found.executable) : 'not read'
  }

  /** Runs the plan, again once it has asked for a large document. */
  async #plan<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<CheckedPlan<T>>> {
    const { infos } = await listDocuments(this.#home, named.folders, { isHeld: true })
    for (;;) {
      const documents = new Map<string, StoredDocument | HermesError>()
      const unread = new Set<string>()
      const wanted = new Set<string>()
      for (const path of named.documents) {
        const document = await this.#now(path)
        if (document === 'not read') unread.add(path)
        else if (document) documents.set(path, document)
      }
      const asking = (cut: Cut): Cut => ({
        ...cut,
        document(path) {
          if (!unread.has(path)) return cut.document(path)
          wanted.add(path)
          throw new NotReadYet()
        },
      })
      try {
        const planned = runPlan(named, { documents, infos }, (cut) => plan(asking(cut)))
        if (wanted.size === 0) return planned
      } catch (cause) {
        if (wanted.size === 0) throw new ThrownByPlan(cause)
      }
      await Promise.all([...wanted].map((path) => this.#findWhole(path)))
    }
  }

  /**
   * Runs a plan on what the plans before it left. `later`: it needs a commit of its own, or one behind theirs. Throws a `ThrownByPlan`, HermesErrors and
   * the system's errors; nothing of it is done then.
   */
  async run<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<T> | 'later'> {
    if (this.#moves.length > 0 || (named.folders.length > 0 && !this.isEmpty) || (await this.#hasOtherName(named.documents))) return 'later'
    const planned = await this.#plan(named, plan)
    return planned.ok ? this.#add(planned.value) : planned
  }

  /** Links give one file several names. */
  async #hasOtherName(paths: Iterable<string>): Promise<boolean> {
    if (this.isEmpty) return false
    for (const path of paths) {
      const found = this.#changes.has(path) ? undefined : await this.find(path)
      if (found && [...this.#changes.values()].some(({ base }) => isSameFile(base, found))) return true
    }
    return false
  }

  async #add<T>(planned: CheckedPlan<T>): Promise<Result<T> | 'later'> {
    const { moves, puts, appends } = planned
    if (moves.length > 0 && !this.isEmpty) return 'later'
    const paths = [...new Set([...puts.keys(), ...appends.keys()])]
    const nests = (path: string) => [...this.#changes.keys()].some((other) => isBelow(other, path) || isBelow(path, other))
    if (paths.some(nests) || (await this.#hasOtherName(paths))) return 'later'
    const own = refuseOwnFiles([...moves.flat(), ...paths])
    if (!own.ok) return own
    const bases = new Map<string, Found>()
    for (const path of paths) {
      const base = await this.#baseOf(path, planned)
      if (base.kind === 'fault') return err(base.error)
      const other = [...bases].find(([, each]) => isSameFile(each, base))?.[0] ?? (await this.#sharedNameOf(path, base))
      if (other !== undefined) return err(sameFile(path, other))
      bases.set(path, base)
    }
    const applied = applyPlan(await this.#inTheWay(planned, bases), planned)
    if (!applied.ok) return applied
    this.#moves = await Promise.all(moves.map(async ([from, to]) => [from, to, await this.#inodeOf(from)] as const))
    for (const [path, base] of bases) this.#change(path, base, planned)
    return ok(planned.value)
  }

  /** The name under which Python locks a document that is reached by a link here. */
  async #sharedNameOf(path: string, base: Found): Promise<string | undefined> {
    const isStraight = 'file' in base && base.file === (await this.#home.straightFileOf(path))
    for (const shared of isStraight || SHARED_DOCUMENTS.includes(path) ? [] : SHARED_DOCUMENTS)
      if (isSameFile(base, await this.find(shared))) return shared
    return undefined
  }

  /** What is at a path once everything has moved. */
  async #baseOf(path: string, { moves, puts }: CheckedPlan<unknown>): Promise<Found> {
    const place = placeBefore(path, moves)
    const isVacated = place === path && moves.some(([from]) => path === from || isBelow(path, from))
    if (isVacated) return { kind: 'none', file: await this.#home.fileOf(path) }
    return puts.has(path) || SHARED_DOCUMENTS.includes(path) ? this.#findWhole(place) : this.find(place)
  }

  async #inodeOf(path: string): Promise<string> {
    const status = await statusAt(await this.#home.fileOf(path))
    if (status?.isSymbolicLink())
      throw new HermesError('invalid_path', `'${path}' is a symbolic link. Move what it leads to. Nothing was written.`, {
        details: { path },
      })
    return String(status?.ino)
  }

  /** The documents that may be in the way of a plan, or be moved by it. */
  async #inTheWay({ moves }: CheckedPlan<unknown>, bases: ReadonlyMap<string, Found>): Promise<Documents> {
    const all: Documents = new Map()
    const folders: string[] = []
    const add = (path: string, found: Found) => {
      if (found.kind === 'fault') throw found.error
      if (found.kind === 'document') all.set(path, PLACEHOLDER)
      if (found.kind === 'folder') folders.push(path)
      if (found.kind === 'none' && found.under !== undefined) all.set(found.under, PLACEHOLDER)
    }
    for (const [path, base] of bases) add(placeBefore(path, moves), base)
    for (const path of moves.flat()) add(path, await this.find(path))
    const listed = await listDocuments(this.#home, folders, { isHeld: true })
    for (const { path } of listed.infos) all.set(path, PLACEHOLDER)
    for (const folder of folders)
      if (!listed.infos.some(({ path }) => isBelow(path, folder)) && !(await isEmptyTree(await this.#home.folderAt(folder))))
        throw inTheWay(folder)
    for (const [path, { whole }] of this.#changes) {
      if (whole === null) all.delete(path)
      else all.set(path, PLACEHOLDER)
    }
    return all
  }

  #change(path: string, found: Found, { puts, appends }: CheckedPlan<unknown>): void {
    const before = this.#changes.get(path)
    const base = before?.base ?? found
    const executable = before?.executable ?? (base.kind === 'document' && base.executable)
    const put = puts.get(path)
    const more = appends.get(path)
    if (put === null) {
      if (base.kind === 'document' || before) this.#changes.set(path, { base, executable, whole: null, appended: EMPTY })
    } else if (put) {
      const whole = new Uint8Array(put.bytes)
      this.#changes.set(path, { base, executable: put.executable ?? executable, whole, appended: EMPTY })
    } else if (more) {
      const isWhole = before?.whole !== undefined
      const whole = isWhole ? join(before.whole ?? EMPTY, more) : undefined
      this.#changes.set(path, {
        base,
        executable,
        whole,
        appended: isWhole ? EMPTY : join(before?.appended ?? EMPTY, new Uint8Array(more)),
      })
    }
  }

  /** False if a program that takes no lock has changed a document since the plans saw it. Before a move, some are elsewhere. */
  async isUpToDate(): Promise<boolean> {
    if (this.#moves.length > 0) return true
    const still = await Promise.all([...this.#changes.values()].map(({ base }) => isStillThere(base)))
    return !still.includes(false)
  }

  /** After it was carried out: what a later one finds. `identities`: of the new files, by path. */
  remember(identities: ReadonlyMap<string, string>): void {
    const changes = [...this.#changes]
    // Under its other names, a file is read again.
    const forget = (path: string) => (found: Found) =>
      !this.#changes.has(path) && changes.some(([, { base }]) => isSameFile(base, found)) && this.#found.delete(path)
    for (const [path, promise] of this.#changes.size > 0 ? this.#found : []) promise.then(forget(path), () => undefined)
    // Folders have come or gone.
    if (this.#moves.length > 0 || changes.some(([, { base, whole }]) => base.kind !== 'document' || whole === null)) this.#found.clear()
    else for (const [path, change] of changes) this.#found.set(path, Promise.resolve(foundAfter(change, identities.get(path))))
  }

  /** The file of a document as it was found. */
  fileOf(path: string): string | undefined {
    const base = this.#changes.get(path)?.base
    return base && base.kind !== 'fault' ? base.file : undefined
  }

  /** What the plans do together. */
  toRecord(number: number): LogRecord {
    return recordOf(this.#home.tag, number, this.#moves, this.#changes)
  }
}
