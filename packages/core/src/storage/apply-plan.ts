/** Carries a plan out on a map of documents. Pure. */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { CheckedPlan } from './checked-plan.ts'
import { isBelow, notADocument, nothingAt, occupiedAt } from './document-tree.ts'
import type { StoredDocument } from './storage-backend.ts'

export type Documents = Map<string, StoredDocument>

/** Without `executable` if it is false. */
export const toStoredDocument = (bytes: Uint8Array, executable: boolean): StoredDocument => ({
  bytes,
  ...(executable ? { executable } : {}),
})

/** The folders that contain a path, the nearest first. */
const foldersOf = (path: string): readonly string[] => {
  const found: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at))
  return found
}

/** Why no document can be at this path. */
const conflictAt = (documents: Documents, path: string): HermesError | undefined => {
  if ([...documents.keys()].some((each) => isBelow(each, path))) return notADocument(path, 'it is a folder')
  const above = foldersOf(path).find((folder) => documents.has(folder))
  return above === undefined ? undefined : notADocument(path, `'${above}' is a document, not a folder`)
}

const moveIn = (documents: Documents, from: string, to: string): HermesError | undefined => {
  const moving = [...documents].filter(([path]) => path === from || isBelow(path, from))
  if (moving.length === 0) return nothingAt(from)
  if ([...documents.keys()].some((path) => path === to || isBelow(path, to))) return occupiedAt(to)
  const conflict = conflictAt(documents, to)
  if (conflict) return conflict
  for (const [path] of moving) documents.delete(path)
  for (const [path, document] of moving) documents.set(to + path.slice(from.length), document)
  return undefined
}

/** The tree after a plan; the error of what cannot be done. */
export const applyPlan = (before: Documents, { moves, puts, appends }: CheckedPlan<unknown>): Result<Documents> => {
  const after: Documents = new Map(before)
  for (const [from, to] of moves) {
    const problem = moveIn(after, from, to)
    if (problem) return err(problem)
  }
  const write = (path: string, bytes: Uint8Array, executable: boolean): HermesError | undefined => {
    const conflict = after.has(path) ? undefined : conflictAt(after, path)
    if (!conflict) after.set(path, toStoredDocument(new Uint8Array(bytes), executable))
    return conflict
  }
  for (const [path, put] of puts) if (put === null) after.delete(path)
  for (const [path, put] of puts) {
    const problem = put && write(path, put.bytes, put.executable ?? after.get(path)?.executable ?? false)
    if (problem) return err(problem)
  }
  for (const [path, more] of appends) {
    const current = after.get(path)
    const bytes = new Uint8Array((current?.bytes.length ?? 0) + more.length)
    bytes.set(current?.bytes ?? [])
    bytes.set(more, current?.bytes.length ?? 0)
    const problem = write(path, bytes, current?.executable ?? false)
    if (problem) return err(problem)
  }
  return ok(after)
}
