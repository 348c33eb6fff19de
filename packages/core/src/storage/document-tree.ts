/** Functions for paths as a tree, for every back end: containment, order, and valid moves. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkStoragePath } from './storage-paths.ts'

/** Code-unit order: the same in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** True for `foo/a` below `foo`, false for `foobar/a` and for `foo` itself; every path is below `''`. */
export const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)

/** The folders that contain a path, the nearest first. */
export const foldersOf = (path: string): readonly string[] => {
  const found: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at))
  return found
}

/** Accepts a valid path, or `''` for the whole tree. */
export const checkFolder = (prefix: string): Result<string> => (prefix === '' ? ok(prefix) : checkStoragePath(prefix))

/** Checks both ends of a move; a folder cannot be moved into itself. */
export const checkMove = (from: string, to: string): Result<undefined> => {
  for (const path of [from, to]) {
    const checked = checkStoragePath(path)
    if (!checked.ok) return checked
  }
  if (isBelow(to, from))
    return err(new HermesError('invalid_path', `'${from}' cannot move into itself ('${to}'). Choose a target outside it.`))
  return ok(undefined)
}

export const nothingAt = (path: string): HermesError =>
  new HermesError('not_found', `There is nothing at '${path}' to move. List its folder to see what is there.`, { details: { path } })

export const occupiedAt = (path: string): HermesError =>
  new HermesError('occupied', `Something is already at '${path}'. Choose another target, or move what is there away first.`, {
    details: { path },
  })

export const notADocument = (path: string, why: string): HermesError =>
  new HermesError('invalid_path', `'${path}' cannot hold a document: ${why}. Choose another path, or move what is there away.`, {
    details: { path },
  })

export const closedError = (): HermesError => new HermesError('closed', 'This storage was closed. Open a new back end to go on.')

/** The paths of some documents and their folders, so that a plan of many changes is not compared with each of them. */
export class PathTree {
  readonly #documents = new Set<string>()
  /** What is directly below each folder. */
  readonly #children = new Map<string, Set<string>>()

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.#add(path)
  }

  #add(path: string): void {
    this.#documents.add(path)
    let child = path
    for (const folder of foldersOf(path)) {
      const children = this.#children.get(folder)
      if (children) return void children.add(child)
      this.#children.set(folder, new Set([child]))
      child = folder
    }
  }

  remove(path: string): void {
    if (!this.#documents.delete(path)) return
    let child = path
    for (const folder of foldersOf(path)) {
      const children = this.#children.get(folder)
      children?.delete(child)
      if (children && children.size > 0) return
      this.#children.delete(folder)
      child = folder
    }
  }

  /** The error if no document can be there. */
  put(path: string): HermesError | undefined {
    const conflict = this.#documents.has(path) ? undefined : this.#conflictAt(path)
    if (!conflict) this.#add(path)
    return conflict
  }

  move(from: string, to: string): HermesError | undefined {
    const moving = this.#within(from)
    if (moving.length === 0) return nothingAt(from)
    if (this.#documents.has(to) || this.#children.has(to)) return occupiedAt(to)
    const conflict = this.#conflictAt(to)
    if (conflict) return conflict
    for (const path of moving) this.remove(path)
    for (const path of moving) this.#add(to + path.slice(from.length))
    return undefined
  }

  #within(path: string): readonly string[] {
    if (this.#documents.has(path)) return [path]
    return [...(this.#children.get(path) ?? [])].flatMap((child) => this.#within(child))
  }

  #conflictAt(path: string): HermesError | undefined {
    if (this.#children.has(path)) return notADocument(path, 'it is a folder')
    const above = foldersOf(path).find((folder) => this.#documents.has(folder))
    return above === undefined ? undefined : notADocument(path, `'${above}' is a document, not a folder`)
  }
}
