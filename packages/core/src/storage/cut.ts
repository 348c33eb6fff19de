/** What a call names, checked once, and the cut of it that a back end has read. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { isBelow } from './document-tree.ts'
import type { Cut, DocumentInfo, Paths, StoredDocument } from './storage-backend.ts'
import { checkStoragePath } from './storage-paths.ts'

export interface NamedPaths {
  readonly documents: ReadonlySet<string>
  /** Without the `/` at their end, and none within another; `''` is the whole tree. */
  readonly folders: readonly string[]
}

export const checkPaths = (paths: Paths): Result<NamedPaths> => {
  if (!Array.isArray(paths) || paths.length === 0)
    return err(
      new HermesError('invalid_path', "Name at least one path, such as ['memories/MEMORY.md', 'skills/']. Nothing was read or written."),
    )
  const documents = new Set<string>()
  const folders = new Set<string>()
  for (const path of paths) {
    const isFolder = typeof path === 'string' && path.endsWith('/')
    if (path === '/') folders.add('')
    else {
      const checked = checkStoragePath(isFolder ? path.slice(0, -1) : path)
      if (!checked.ok) return checked
      ;(isFolder ? folders : documents).add(checked.value)
    }
  }
  const outermost = [...folders].filter((folder) => ![...folders].some((other) => other !== folder && isBelow(folder, other)))
  return ok({ documents, folders: outermost })
}

/** True for a folder that was named, and for all folders below it. */
export const namesFolder = ({ folders }: NamedPaths, folder: string): boolean =>
  folders.some((named) => folder === named || isBelow(folder, named))

/** True for a document that a plan may touch. */
export const namesDocument = ({ documents, folders }: NamedPaths, path: string): boolean =>
  documents.has(path) || folders.some((folder) => isBelow(path, folder))

/** In the place of a document that is read only for a plan that asks for it, such as a large one. */
export const UNREAD: unique symbol = Symbol('unread')

class NotReadYet extends Error {}

export interface ReadDocuments {
  /** The named documents that there are; the error of one that cannot be read. */
  readonly documents: ReadonlyMap<string, StoredDocument | HermesError | typeof UNREAD>
  /** What is below the named folders, in code-unit order of the path. */
  readonly infos: readonly DocumentInfo[]
}

/** `wanted`: gets the unread documents that were asked for, in vain. */
export const makeCut = (named: NamedPaths, { documents, infos }: ReadDocuments, wanted: Set<string> = new Set()): Cut => ({
  document(path) {
    if (!named.documents.has(path)) throw new TypeError(`'${path}' was not named, so it was not read. Add it to the paths of the call.`)
    const document = documents.get(path)
    if (document instanceof Error) throw document
    if (document !== UNREAD) return document
    wanted.add(path)
    throw new NotReadYet(`'${path}' is read next.`)
  },
  list(folder) {
    const below = folder.endsWith('/') ? folder.slice(0, -1) : folder
    if (!namesFolder(named, below)) throw new TypeError(`'${folder}' was not named as a folder. Add '${below}/' to the paths of the call.`)
    return infos.filter(({ path }) => isBelow(path, below))
  },
})
