/**
 * Many updates as one: each is planned at once, on what was read and what those before it changed, and all are written together, or nothing is. For work that
 * asks others in between, such as a review, whose proposals are judged one after another.
 */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkPaths, type NamedPaths, namesFolder } from './cut.ts'
import { byCodeUnit, checkFolder, isBelow } from './document-tree.ts'
import { applyPlan, type CheckedPlan, checkPlan, type Documents } from './plan.ts'
import { appendsOf, type Changes, EMPTY, joined, NOTHING, putsOf, stampOf, withWrites } from './staged-changes.ts'
import { isWithin, type Moves, originOf, placeOf, relocate, withMove } from './staged-moves.ts'
import { type Found, STALE, StateRead } from './state-read.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend, UpdateOptions } from './storage-backend.ts'

/** A plan has asked for documents, which are read before it runs again: what is only appended to is never read. */
class NotReadYet extends Error {}

export class Transaction implements StorageBackend {
  /** What it reads and writes in the end. */
  readonly base: Pick<StorageBackend, 'read' | 'update'>
  readonly #reads: StateRead
  #moves: Moves = []
  /** By present path. */
  #changes: Changes = new Map()
  #isForgetting = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(storage: Pick<StorageBackend, 'read' | 'update'>) {
    this.base = storage
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
    return this.#reads.look(origins(documents), [...this.#moves.map(([from]) => from), ...origins(folders)])
  }

  /** The listings that tell what is below a folder now. */
  #listingsFor(folder: string): ReadonlySet<string> {
    const origins = [originOf(this.#moves, folder), ...this.#moves.map(([from]) => from)]
    return new Set(origins.flatMap((origin) => (origin === undefined ? [] : (this.#reads.listingOf(origin) ?? []))))
  }

  #now(path: string): Found {
    const { put, appended } = this.#changes.get(path) ?? NOTHING
    if (put === null) return undefined
    const origin = originOf(this.#moves, path)
    const before = origin === undefined ? undefined : this.#reads.documents.get(origin)
    if (put === undefined && before instanceof Error) return before
    const known = before instanceof Error ? undefined : before
    const executable = put?.executable ?? known?.executable ?? false
    const base = put?.bytes ?? known?.bytes
    if (!base && appended.length === 0) return undefined
    return { bytes: joined([base ?? EMPTY, ...appended]), ...(executable ? { executable } : {}) }
  }

  #list(folder: string): readonly DocumentInfo[] {
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
      const size = change.put === undefined ? (before?.size ?? 0) : (change.put?.bytes.length ?? 0)
      const grown = change.appended.reduce((sum, { length }) => sum + length, size)
      if (change.put === null) infos.delete(path)
      else infos.set(path, { path, size: grown, stamp: `${before?.stamp ?? ''}+${stampOf(change)}` })
    }
    return [...infos.values()].sort((a, b) => byCodeUnit(a.path, b.path))
  }

  /** What a plan sees. `unread`: gets the documents that it has asked for in vain; `faults`: the errors of those that cannot be read. */
  #cut({ documents, folders }: NamedPaths, unread: Set<string>, faults: Set<unknown> = new Set()): Cut {
    return {
      document: (path) => {
        if (!documents.has(path)) throw new TypeError(`'${path}' was not named, so it was not read. Add it to the paths of the call.`)
        const origin = originOf(this.#moves, path)
        const isWhole = this.#changes.get(path)?.put !== undefined
        if (!isWhole && origin !== undefined) {
          if (!this.#reads.documents.has(origin)) {
            unread.add(path)
            throw new NotReadYet(`'${path}' is read next.`)
          }
          this.#reads.seenDocuments.add(origin)
        }
        const document = this.#now(path)
        if (!(document instanceof Error)) return document
        faults.add(document)
        throw document
      },
      list: (folder) => {
        const below = folder.endsWith('/') ? folder.slice(0, -1) : folder
        if (!namesFolder({ documents, folders }, below))
          throw new TypeError(`'${folder}' was not named as a folder. Add '${below}/' to the paths of the call.`)
        for (const listed of this.#listingsFor(below)) this.#reads.seenFolders.add(listed)
        return this.#list(below)
      },
    }
  }

  read(paths: Paths): Promise<Result<Cut>> {
    return this.#inTurn(async () => {
      const named = checkPaths(paths)
      if (!named.ok) return named
      const looked = await this.#look(named.value.documents, named.value.folders)
      return looked.ok ? ok(this.#cut(named.value, new Set())) : looked
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
      const applied = applyPlan(this.#standing(), planned.value)
      if (!applied.ok) return applied
      const refused = this.#stage(planned.value)
      if (refused) return err(refused)
      this.#isForgetting ||= options.forget === true
      return ok(planned.value.value)
    })
  }

  /** Runs a plan, again once it has asked for what is not read yet. */
  async #plan<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<CheckedPlan<T>>> {
    for (;;) {
      const looked = await this.#look([], named.folders)
      if (!looked.ok) return looked
      const unread = new Set<string>()
      const faults = new Set<unknown>()
      try {
        const checked = checkPlan(plan(this.#cut(named, unread, faults)), named)
        if (unread.size === 0) return ok(checked)
      } catch (cause) {
        if (unread.size === 0 && HermesError.isInstance(cause) && faults.has(cause)) return err(cause)
        if (unread.size === 0) throw cause
      }
      const read = await this.#look(unread, [])
      if (!read.ok) return read
    }
  }

  /** All that a plan may meet; of most documents, only that they are there. */
  #standing(): Documents {
    const known: Documents = new Map()
    for (const origin of this.#reads.present) known.set(placeOf(this.#moves, origin), { bytes: EMPTY })
    for (const path of [...[...this.#reads.documents.keys()].map((origin) => placeOf(this.#moves, origin)), ...this.#changes.keys()]) {
      const document = this.#now(path)
      if (document === undefined) known.delete(path)
      // A folder cannot be read either.
      else if (!(document instanceof Error)) known.set(path, document)
      else if (this.#list(path).length === 0) known.set(path, { bytes: EMPTY })
    }
    return known
  }

  /** The error of moves that are no list of moves from the beginning; nothing is staged then. */
  #stage({ moves, puts, appends }: CheckedPlan<unknown>): HermesError | undefined {
    let changes = this.#changes
    const before = this.#moves
    for (const [from, to] of moves) {
      const present = this.#reads.present
      const isThere = present.some((origin) => isWithin(placeOf(this.#moves, origin), from))
      const removed = [...changes].flatMap(([path, { put }]) =>
        put === null && present.includes(originOf(this.#moves, path) ?? '') ? [path] : [],
      )
      const next = isThere ? withMove(this.#moves, from, to, removed) : this.#moves
      if (next instanceof Error) {
        this.#moves = before
        return next
      }
      // Nothing was at the target, so what was removed there is not to be removed again.
      const standing = [...changes].filter(([path, { put }]) => put !== null || !isWithin(path, to))
      changes = new Map(standing.map(([path, change]) => [relocate(path, from, to), change]))
      for (const end of [from, to]) for (const listed of this.#listingsFor(end)) this.#reads.seenFolders.add(listed)
      this.#moves = next
    }
    this.#changes = withWrites(changes, puts, appends)
    return undefined
  }

  list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    return this.#inTurn(async () => {
      const folder = checkFolder(prefix)
      if (!folder.ok) return folder
      const looked = await this.#look([], [folder.value])
      if (!looked.ok) return looked
      for (const listed of this.#listingsFor(folder.value)) this.#reads.seenFolders.add(listed)
      return ok(this.#list(folder.value))
    })
  }

  /** Nothing was changed, so there is nothing to write. */
  get isEmpty(): boolean {
    return this.#changes.size + this.#moves.length === 0
  }

  async close(): Promise<void> {}

  /** Whether something that the plans have looked at is not so any more, so that what they came to need not be true. */
  async isStale(): Promise<Result<boolean>> {
    const cut = this.#reads.seenPaths.length > 0 ? await this.base.read(this.#reads.seenPaths) : undefined
    return cut?.ok ? ok(!this.#reads.isStill(cut.value)) : (cut ?? ok(false))
  }

  /**
   * Writes everything with what `plan` adds, in one update; `STALE` if a document or a folder is not as it was read. `plan` may refuse by throwing.
   * `paths`: what it needs beside that. Then the transaction is over.
   */
  async commit<T>(paths: Paths, plan: (cut: Cut) => Plan<T>): Promise<Result<T | typeof STALE>> {
    const named = [...paths, ...this.#reads.seenPaths, ...this.#changes.keys(), ...this.#moves.flat()]
    return this.base.update<T | typeof STALE>(
      [...new Set(named)],
      (cut) => {
        if (!this.#reads.isStill(cut)) return { value: STALE }
        const { put, append = {}, move, value } = plan(cut)
        return {
          put: { ...putsOf(this.#changes, append), ...put },
          append: appendsOf(this.#changes, append),
          move: [...this.#moves, ...(move ?? [])],
          value,
        }
      },
      { forget: this.#isForgetting },
    )
  }
}
