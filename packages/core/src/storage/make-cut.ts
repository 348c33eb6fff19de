/** A cut of documents that a back end has read. Pure. */
import type { HermesError } from '../shared/hermes-error.ts'
import { isBelow } from './document-tree.ts'
import { type NamedPaths, namesFolder } from './named-paths.ts'
import type { Cut, DocumentInfo, StoredDocument } from './storage-backend.ts'

export interface ReadDocuments {
  /** The named documents that there are; the error of one that cannot be read. */
  readonly documents: ReadonlyMap<string, StoredDocument | HermesError>
  /** What is below the named folders, in code-unit order of the path. */
  readonly infos: readonly DocumentInfo[]
}

export const makeCut = (named: NamedPaths, { documents, infos }: ReadDocuments): Cut => ({
  document(path) {
    if (!named.documents.has(path)) throw new TypeError(`'${path}' was not named, so it was not read. Add it to the paths of the call.`)
    const document = documents.get(path)
    if (document instanceof Error) throw document
    return document
  },
  list(folder) {
    const below = folder.endsWith('/') ? folder.slice(0, -1) : folder
    if (!namesFolder(named, below)) throw new TypeError(`'${folder}' was not named as a folder. Add '${below}/' to the paths of the call.`)
    return infos.filter(({ path }) => isBelow(path, below))
  },
})
