/**
 * Many updates as one: each is planned at once, on what was read and what those before it changed, and all are written together, or nothing is. For work that
 * asks others in between, such as a review, whose proposals are judged one after another.
 */
import type { HermesError } from '../shared/hermes-error.ts'
import { joined } from '../shared/joined-bytes.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkPaths, makeCut, type NamedPaths, type ReadDocuments, UNREAD } from './cut.ts'
import { byCodeUnit, checkFolder, isBelow } from './document-tree.ts'
import { type CheckedPlan, conflictOf, tryPlan } from './plan.ts'
import {
  EMPTY,
  isWithin,
  type Moves,
  NOTHING,
  originOf,
  placeOf,
  relocate,
  type StagedChanges,
  stampOf,
  withMove,
  withWrites,
  writesOf,
} from './staged.ts'
import { documentOrError, type Read, STALE, StateRead } from './state-read.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend, UpdateOptions } from './storage-backend.ts'

export class Transaction implements StorageBackend {
  /** What it reads and writes in the end. */
  readonly #base: Pick<StorageBackend, 'read' | 'update'>
  readonly #reads: StateRead
  #moves: Moves = []
  #changes: StagedChanges = new Map()
  #isForgetting = false
  /** By folder, as long as nothing is read or changed. */
  readonly #lists = new Map<string, readonly DocumentInfo[]>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(storage: Pick<StorageBackend, 'read' | 'update'>) {
    this.#base = storage
    this.#reads = new StateRead(storage)
  }

  /** One call after the other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Reads what is not known yet, by its present path. */
  #look(documents: Iterable<string>, folders: Iterable<string>): Promise<Result<void>> {
    const origins = (paths: Iterable<string>) => [...paths].flatMap((path) => originOf(this.#moves, path) ?? [])
    return this.#reads.look(origins(documents), [...this.#moves.map(([from]) => from), ...origins(folders)], () => this.#lists.clear())
  }

  /** The listings that tell what is below a folder now. */
  #listingsFor(folder: string): ReadonlySet<string> {
    const origins = [originOf(this.#moves, folder), ...this.#moves.map(([from]) => from)]
    return new Set(origins.flatMap((origin) => (origin === undefined ? [] : (this.#reads.listingOf(origin) ?? []))))
  }

  #seeFolder(folder: string): void {
    for (const listed of this.#listingsFor(folder)) this.#reads.seenFolders.add(listed)
  }

  /** Undefined if there is none; `UNREAD` if that is not known yet. */
  #now(path: string): Read | typeof UNREAD {
    const { put, appended } = this.#changes.get(path) ?? NOTHING
    if (put === null) return undefined
    const origin = originOf(this.#moves, path)
    if (put === undefined && origin !== undefined && !this.#reads.documents.has(origin)) return UNREAD
    const before = origin === undefined ? undefined : this.#reads.documents.get(origin)
    if (put === undefined && before instanceof Error) return before
    const known = before instanceof Error ? undefined : before
    const executable = put?.executable ?? known?.executable ?? false
    const base = put?.bytes ?? known?.bytes
    if (!base && appended.length === 0) return undefined
    return { bytes: joined([base ?? EMPTY, appended]), ...(executable ? { executable } : {}) }
  }

  #list(folder: string): readonly DocumentInfo[] {
    const known = this.#lists.get(folder)
    if (known) return known
    const infos = new Map<string, DocumentInfo>()
    for (const info of [...this.#listingsFor(folder)].flatMap((listed) => this.#reads.folders.get(listed) ?? [])) {
      const path = placeOf(this.#moves, info.path)
      if (isBelow(path, folder)) infos.set(path, path === info.path ? info : { ...info, path })
    }
    // A document that has moved by itself is in no listing of a folder that it came from.
    for (const [origin, found] of this.#reads.documents) {
      const path = placeOf(this.#moves, origin)
      if (path === origin || !isBelow(path, folder) || infos.has(path) || !found || found instanceof Error) continue
      infos.set(path, { path, size: found.bytes.length, stamp: '' })
    }
    for (const [path, change] of this.#changes) {
      if (!isBelow(path, folder)) continue
      const before = infos.get(path)
      const size = (change.put === undefined ? (before?.size ?? 0) : (change.put?.bytes.length ?? 0)) + change.appended.length
      if (change.put === null) infos.delete(path)
      else infos.set(path, { path, size, stamp: `${before?.stamp ?? ''}+${stampOf(change)}` })
    }
    const listed = [...infos.values()].sort((a, b) => byCodeUnit(a.path, b.path))
    this.#lists.set(folder, listed)
    return listed
  }

  #read({ documents, folders }: NamedPaths): ReadDocuments {
    const now = [...documents].flatMap((path) => {
      const document = this.#now(path)
      return document === undefined ? [] : [[path, document] as const]
    })
    return { documents: new Map(now), infos: folders.flatMap((folder) => this.#list(folder)) }
  }

  /** Remembers what is looked at. */
  #noting(cut: Cut): Cut {
    return {
      document: (path) => {
        const found = documentOrError(cut, path)
        const origin = originOf(this.#moves, path)
        if (origin !== undefined && this.#changes.get(path)?.put === undefined) this.#reads.seenDocuments.add(origin)
        if (found instanceof Error) throw found
        return found
      },
      list: (folder) => {
        this.#seeFolder(folder.endsWith('/') ? folder.slice(0, -1) : folder)
        return cut.list(folder)
      },
    }
  }

  read(paths: Paths): Promise<Result<Cut>> {
    return this.#inTurn(async () => {
      const named = checkPaths(paths)
      if (!named.ok) return named
      const looked = await this.#look(named.value.documents, named.value.folders)
      return looked.ok ? ok(this.#noting(makeCut(named.value, this.#read(named.value)))) : looked
    })
  }

  update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions = {}): Promise<Result<T>> {
    return this.#inTurn(async () => {
      const named = checkPaths(paths)
      if (!named.ok) return named
      const planned = await this.#plan(named.value, plan)
      if (!planned.ok) return planned
      // What is moved is read and listed, so that what it meets is known.
      const ends = planned.value.moves.flat()
      const moving = await this.#look(ends, ends)
      if (!moving.ok) return moving
      const refused = conflictOf(this.#standing(), planned.value) ?? this.#stage(planned.value)
      if (refused) return err(refused)
      this.#isForgetting ||= options.forget === true
      return ok(planned.value.value)
    })
  }

  /** Runs a plan, again once it has asked for what is not read yet: what is only appended to is never read. */
  async #plan<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<CheckedPlan<T>>> {
    let looked = await this.#look([], named.folders)
    while (looked.ok) {
      const planned = tryPlan(named, this.#read(named), (cut) => plan(this.#noting(cut)))
      if (!('wanted' in planned)) return planned
      looked = await this.#look(planned.wanted, [])
    }
    return looked
  }

  /** The paths of all that a plan may meet. */
  #standing(): ReadonlySet<string> {
    const known = new Set(this.#reads.present.map((origin) => placeOf(this.#moves, origin)))
    const read = [...this.#reads.documents.keys()].map((origin) => placeOf(this.#moves, origin))
    for (const path of [...read, ...this.#changes.keys()]) {
      if (this.#isThere(path)) known.add(path)
      else known.delete(path)
    }
    return known
  }

  #isThere(path: string): boolean {
    const { put, appended } = this.#changes.get(path) ?? NOTHING
    if (put !== undefined || appended.length > 0) return put !== null
    const origin = originOf(this.#moves, path)
    if (origin === undefined) return false
    if (!this.#reads.documents.has(origin)) return true
    const read = this.#reads.documents.get(origin)
    // A folder cannot be read either.
    return read instanceof Error ? this.#list(path).length === 0 : read !== undefined
  }

  /** The error of moves that are no list of moves from the beginning; nothing is staged then. */
  #stage(planned: CheckedPlan<unknown>): HermesError | undefined {
    this.#lists.clear()
    let changes = this.#changes
    const before = this.#moves
    const present = planned.moves.length > 0 ? this.#reads.present : []
    const isPresent = new Set(present)
    for (const [from, to] of planned.moves) {
      const isThere = present.some((origin) => isWithin(placeOf(this.#moves, origin), from))
      const removed = [...changes].flatMap(([path, { put }]) =>
        put === null && isPresent.has(originOf(this.#moves, path) ?? '') ? [path] : [],
      )
      const next = isThere ? withMove(this.#moves, from, to, removed) : this.#moves
      if (next instanceof Error) {
        this.#moves = before
        return next
      }
      // Nothing was at the target, so what was removed there is not to be removed again.
      const standing = [...changes].filter(([path, { put }]) => put !== null || !isWithin(path, to))
      changes = new Map(standing.map(([path, change]) => [relocate(path, from, to), change]))
      for (const end of [from, to]) this.#seeFolder(end)
      this.#moves = next
    }
    this.#changes = withWrites(changes, planned)
    return undefined
  }

  async list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    const folder = checkFolder(prefix)
    if (!folder.ok) return folder
    const cut = await this.read([`${prefix}/`])
    return cut.ok ? ok(cut.value.list(prefix)) : cut
  }

  /** Nothing was changed, so there is nothing to write. */
  get isEmpty(): boolean {
    return this.#changes.size + this.#moves.length === 0
  }

  async close(): Promise<void> {}

  /** Whether something that the plans have looked at is not so any more, so that what they came to need not be true. */
  async isStale(): Promise<boolean> {
    const cut = this.#reads.seenPaths.length > 0 ? await this.#base.read(this.#reads.seenPaths) : undefined
    return cut?.ok === true && !this.#reads.isStill(cut.value)
  }

  /**
   * Writes everything with what `plan` adds, in one update; `STALE` if a document or a folder is not as it was read. `plan` may refuse by throwing.
   * `paths`: what it needs beside that. Then the transaction is over.
   */
  async commit<T>(paths: Paths, plan: (cut: Cut) => Plan<T>): Promise<Result<T | typeof STALE>> {
    const named = [...paths, ...this.#reads.seenPaths, ...this.#changes.keys(), ...this.#moves.flat()]
    return this.#base.update<T | typeof STALE>(
      [...new Set(named)],
      (cut) => {
        if (!this.#reads.isStill(cut)) return { value: STALE }
        const { put, append = {}, move, value } = plan(cut)
        const writes = writesOf(this.#changes, append)
        return { put: { ...writes.put, ...put }, append: writes.append, move: [...this.#moves, ...(move ?? [])], value }
      },
      { forget: this.#isForgetting },
    )
  }
}
