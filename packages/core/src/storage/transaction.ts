/**
 * Many updates as one: each is planned at once, on what was read and what those before it changed, and all are written together, or nothing is. For work that
 * asks others in between, such as a review, whose proposals are judged one after another.
 */
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { applyPlan, type Documents } from './apply-plan.ts'
import type { CheckedPlan } from './checked-plan.ts'
import { byCodeUnit, checkFolder, isBelow } from './document-tree.ts'
import { equalContent } from './equal-content.ts'
import { makeCut } from './make-cut.ts'
import { checkPaths, type NamedPaths } from './named-paths.ts'
import { runPlan } from './run-plan.ts'
import { appendsOf, type Change, EMPTY, joined, NOTHING, putsOf, stampOf } from './staged-changes.ts'
import { isWithin, type Moves, originOf, placeOf, refuseMove, relocate, withMove } from './staged-moves.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend, StoredDocument, UpdateOptions } from './storage-backend.ts'
import { STALE } from './update-after.ts'

type Found = StoredDocument | HermesError | undefined

const documentOrError = (cut: Cut, path: string): Found => {
  try {
    return cut.document(path)
  } catch (cause) {
    if (HermesError.isInstance(cause)) return cause
    throw cause
  }
}

export class Transaction implements StorageBackend {
  /** What it reads and writes in the end. */
  readonly base: Pick<StorageBackend, 'read' | 'update'>
  /** As they were read, by the path that they had then. */
  readonly #documents = new Map<string, Found>()
  readonly #folders = new Map<string, readonly DocumentInfo[]>()
  /** Of a folder before any move to where it is now. */
  #moves: Moves = []
  /** By present path. */
  #changes = new Map<string, Change>()
  /** What the plans have looked at, by the paths of the beginning: if it is not so any more, they do not hold. */
  readonly #seenDocuments = new Set<string>()
  readonly #seenFolders = new Set<string>()
  #isForgetting = false

  constructor(storage: Pick<StorageBackend, 'read' | 'update'>) {
    this.base = storage
  }

  /** Reads what is not known yet. */
  async #look(documents: Iterable<string>, folders: Iterable<string>): Promise<Result<void>> {
    const origins = (paths: Iterable<string>) => [...paths].flatMap((path) => originOf(this.#moves, path) ?? [])
    const unread = origins(documents).filter((path) => !this.#documents.has(path))
    const above = [...this.#moves.map(([from]) => from), ...origins(folders)]
    const unlisted = above.filter((folder) => !this.#folders.has(folder))
    if (unread.length + unlisted.length === 0) return ok(undefined)
    const cut = await this.base.read([...unread, ...unlisted.map((folder) => `${folder}/`)])
    if (!cut.ok) return cut
    for (const path of unread) this.#documents.set(path, documentOrError(cut.value, path))
    for (const folder of unlisted) this.#folders.set(folder, cut.value.list(folder))
    return ok(undefined)
  }

  #now(path: string): Found {
    const { put, appended } = this.#changes.get(path) ?? NOTHING
    if (put === null) return undefined
    const origin = originOf(this.#moves, path)
    const before = origin === undefined ? undefined : this.#documents.get(origin)
    if (put === undefined && before instanceof Error) return before
    const known = before instanceof Error ? undefined : before
    const executable = put?.executable ?? known?.executable ?? false
    const base = put?.bytes ?? known?.bytes
    if (!base && appended.length === 0) return undefined
    return { bytes: joined([base ?? EMPTY, ...appended]), ...(executable ? { executable } : {}) }
  }

  #list(folder: string): readonly DocumentInfo[] {
    const infos = new Map<string, DocumentInfo>()
    for (const listed of this.#folders.values()) {
      for (const info of listed) {
        const path = placeOf(this.#moves, info.path)
        if (isBelow(path, folder)) infos.set(path, path === info.path ? info : { ...info, path })
      }
    }
    // A document that has moved by itself is in no listing of a folder that it came from.
    for (const [origin, found] of this.#documents) {
      const path = placeOf(this.#moves, origin)
      if (path === origin || !isBelow(path, folder) || infos.has(path) || !found || found instanceof Error) continue
      infos.set(path, { path, size: found.bytes.length, stamp: '' })
    }
    for (const [path, change] of this.#changes) {
      if (!isBelow(path, folder)) continue
      const document = this.#now(path)
      if (document === undefined || document instanceof Error) infos.delete(path)
      else infos.set(path, { path, size: document.bytes.length, stamp: `${infos.get(path)?.stamp ?? ''}+${stampOf(change)}` })
    }
    return [...infos.values()].sort((a, b) => byCodeUnit(a.path, b.path))
  }

  #cut({ documents, folders }: NamedPaths) {
    const found = [...documents].flatMap((path) => {
      const document = this.#now(path)
      return document ? [[path, document] as const] : []
    })
    const infos = new Map(folders.flatMap((folder) => this.#list(folder).map((info) => [info.path, info] as const)))
    return { documents: new Map(found), infos: [...infos.values()].sort((a, b) => byCodeUnit(a.path, b.path)) }
  }

  #noting(cut: Cut): Cut {
    return {
      document: (path) => {
        const document = cut.document(path)
        this.#see(path)
        return document
      },
      list: (folder) => {
        const infos = cut.list(folder)
        this.#seeFolder(folder.endsWith('/') ? folder.slice(0, -1) : folder)
        return infos
      },
    }
  }

  #see(path: string): void {
    const origin = originOf(this.#moves, path)
    if (origin !== undefined && this.#changes.get(path)?.put === undefined) this.#seenDocuments.add(origin)
  }

  #seeFolder(folder: string): void {
    for (const origin of [originOf(this.#moves, folder), ...this.#moves.map(([from]) => from)])
      if (origin !== undefined) this.#seenFolders.add(origin)
  }

  async read(paths: Paths): Promise<Result<Cut>> {
    const named = checkPaths(paths)
    if (!named.ok) return named
    const looked = await this.#look(named.value.documents, named.value.folders)
    return looked.ok ? ok(this.#noting(makeCut(named.value, this.#cut(named.value)))) : looked
  }

  async update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options: UpdateOptions = {}): Promise<Result<T>> {
    const named = checkPaths(paths)
    if (!named.ok) return named
    const looked = await this.#look(named.value.documents, named.value.folders)
    if (!looked.ok) return looked
    const planned = runPlan(named.value, this.#cut(named.value), (cut) => plan(this.#noting(cut)))
    if (!planned.ok) return planned
    // What is moved is listed, so that what it meets is known.
    for (const [from] of planned.value.moves) refuseMove(this.#moves, from)
    const moving = await this.#look(planned.value.moves.flat(), planned.value.moves.flat())
    if (!moving.ok) return moving
    const applied = applyPlan(this.#standing(), planned.value)
    if (!applied.ok) return applied
    this.#isForgetting ||= options.forget === true
    this.#stage(planned.value)
    return ok(planned.value.value)
  }

  /** All that a plan may meet; of most documents, only that they are there. */
  #standing(): Documents {
    const known: Documents = new Map()
    for (const origin of this.#present()) known.set(placeOf(this.#moves, origin), { bytes: EMPTY })
    for (const path of [...[...this.#documents.keys()].map((origin) => placeOf(this.#moves, origin)), ...this.#changes.keys()]) {
      const document = this.#now(path)
      if (document === undefined) known.delete(path)
      // A folder cannot be read either.
      else if (!(document instanceof Error)) known.set(path, document)
      else if (this.#list(path).length === 0) known.set(path, { bytes: EMPTY })
    }
    return known
  }

  /** The documents of the beginning, as far as they are known. */
  #present(): readonly string[] {
    const listed = [...this.#folders.values()].flatMap((infos) => infos.map(({ path }) => path))
    return [...listed, ...[...this.#documents].flatMap(([path, found]) => (found ? [path] : []))]
  }

  #stage({ moves, puts, appends }: CheckedPlan<unknown>): void {
    for (const [from, to] of moves) {
      const isThere = this.#present().some((origin) => isWithin(placeOf(this.#moves, origin), from))
      // Nothing is at the target, so what was removed there is not to be removed again.
      const standing = [...this.#changes].filter(([path, { put }]) => put !== null || !isWithin(path, to))
      this.#changes = new Map(standing.map(([path, change]) => [relocate(path, from, to), change]))
      if (isThere) this.#moves = withMove(this.#moves, from, to)
    }
    for (const [path, put] of puts) {
      const before = this.#changes.get(path)?.put
      const executable = put?.executable ?? (before === null ? false : before?.executable)
      this.#changes.set(path, { put: put && { bytes: new Uint8Array(put.bytes), executable }, appended: [] })
    }
    for (const [path, bytes] of appends) {
      const before = this.#changes.get(path) ?? NOTHING
      const put = before.put === null ? { bytes: EMPTY, executable: false } : before.put
      this.#changes.set(path, { put, appended: [...before.appended, new Uint8Array(bytes)] })
    }
  }

  async list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    const folder = checkFolder(prefix)
    if (!folder.ok) return folder
    const looked = await this.#look([], [folder.value])
    if (looked.ok) this.#seeFolder(folder.value)
    return looked.ok ? ok(this.#list(folder.value)) : looked
  }

  /** Nothing was changed, so there is nothing to write. */
  get isEmpty(): boolean {
    return this.#changes.size + this.#moves.length === 0
  }

  async close(): Promise<void> {}

  /**
   * Writes everything with what `plan` adds, in one update; `STALE` if a document or a folder is not as it was read. `plan` may refuse by throwing.
   * `paths`: what it needs beside that. Then the transaction is over.
   */
  async commit<T>(paths: Paths, plan: (cut: Cut) => Plan<T>): Promise<Result<T | typeof STALE>> {
    const named = [
      ...paths,
      ...this.#documents.keys(),
      ...[...this.#folders.keys()].map((folder) => `${folder}/`),
      ...this.#changes.keys(),
      ...this.#moves.flat(),
    ]
    return this.base.update<T | typeof STALE>(
      [...new Set(named)],
      (cut) => {
        if (!this.#isAsRead(cut)) return { value: STALE }
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

  #isAsRead(cut: Cut): boolean {
    for (const path of this.#seenDocuments) {
      const before = this.#documents.get(path)
      const now = documentOrError(cut, path)
      const isFault = before instanceof Error || now instanceof Error
      if (isFault ? !(before instanceof Error && now instanceof Error) : !equalContent(now, before)) return false
    }
    return [...this.#seenFolders].every((folder) => {
      const before = this.#folders.get(folder) ?? []
      const now = cut.list(folder)
      return (
        now.length === before.length && now.every(({ path, stamp }, index) => path === before[index]?.path && stamp === before[index].stamp)
      )
    })
  }
}
