/** Functions for paths as a tree, for every back end: containment, order, and valid moves. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkStoragePath } from './storage-paths.ts'

/** Code-unit order: the same in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** True for `foo/a` below `foo`, false for `foobar/a` and for `foo` itself; every path is below `''`. */
export const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)

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
