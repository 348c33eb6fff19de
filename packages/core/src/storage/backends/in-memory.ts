/** Storage in memory: for tests, and for hosts that store nothing. */
import { err, ok, type Result } from '../../shared/result.ts'
import { checkChangeResult } from '../check-change-result.ts'
import { byCodeUnit, checkFolder, checkMove, closedError, notADocument, nothingAt, occupiedAt } from '../document-tree.ts'
import { type DocumentChange, type DocumentInfo, type StorageBackend, type StoredDocument, UNCHANGED } from '../storage-backend.ts'
import { checkStoragePath } from '../storage-paths.ts'
import { createPathIndex, type PathIndex } from './path-index.ts'

const copyOf = (document: StoredDocument): StoredDocument => ({ ...document, bytes: document.bytes.slice() })

// Shared by all trees, so that versions are unique.
let writes = 0

/** By the map of a tree, which several back ends may share. */
const indexes = new WeakMap<Map<string, StoredDocument>, PathIndex>()

const indexOf = (documents: Map<string, StoredDocument>): PathIndex => {
  const known = indexes.get(documents)
  // A host may fill or clear its map.
  if (known?.size() === documents.size) return known
  const index = createPathIndex(documents.keys())
  indexes.set(documents, index)
  return index
}

/** The folders that contain a path, the nearest first. */
const foldersOf = (path: string): readonly string[] => {
  const found: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at))
  return found
}

/**
 * Each call creates an empty tree; two back ends with the same map share one tree. Bytes are copied on read and write. An update is
 * synchronous, so updates of a path never overlap.
 */
export const inMemoryBackend = (documents: Map<string, StoredDocument> = new Map()): StorageBackend => {
  let closed = false

  const check = (path: Result<unknown>): Result<unknown> => (closed ? err(closedError()) : path)

  const conflictAt = (path: string) => {
    if (indexOf(documents).isFolder(path)) return notADocument(path, 'it is a folder')
    const above = foldersOf(path).find((folder) => documents.has(folder))
    return above === undefined ? undefined : notADocument(path, `'${above}' is a document, not a folder`)
  }

  const read = async (path: string): Promise<Result<StoredDocument | undefined>> => {
    const checked = check(checkStoragePath(path))
    if (!checked.ok) return checked
    const document = documents.get(path)
    return ok(document && copyOf(document))
  }

  const update = async (path: string, change: DocumentChange): Promise<Result<StoredDocument | undefined>> => {
    const checked = check(checkStoragePath(path))
    if (!checked.ok) return checked
    const current = documents.get(path)
    const next = checkChangeResult(path, change(current && copyOf(current)), current)
    if (next === UNCHANGED) return ok(current && copyOf(current))
    if (next === undefined) {
      const index = indexOf(documents)
      documents.delete(path)
      index.remove(path)
      return ok(undefined)
    }
    const conflict = current ? undefined : conflictAt(path)
    if (conflict) return err(conflict)
    // `slice` of a Buffer would not copy.
    const written = { bytes: new Uint8Array(next.bytes), version: String(++writes), ...(next.executable ? { executable: true } : {}) }
    const index = indexOf(documents)
    documents.set(path, written)
    if (!current) index.add(path)
    return ok(copyOf(written))
  }

  const list = async (prefix: string): Promise<Result<readonly DocumentInfo[]>> => {
    const checked = check(checkFolder(prefix))
    if (!checked.ok) return checked
    const infos = indexOf(documents)
      .below(prefix)
      .flatMap((path) => {
        const document = documents.get(path)
        return document ? [{ path, size: document.bytes.length, stamp: document.version }] : []
      })
    return ok(infos.sort((a, b) => byCodeUnit(a.path, b.path)))
  }

  const move = async (from: string, to: string): Promise<Result<void>> => {
    const checked = check(checkMove(from, to))
    if (!checked.ok) return checked
    const index = indexOf(documents)
    const moving = [from, ...index.below(from)].flatMap((path) => {
      const document = documents.get(path)
      return document ? [{ path, document }] : []
    })
    if (moving.length === 0) return err(nothingAt(from))
    if (documents.has(to) || index.isFolder(to)) return err(occupiedAt(to))
    const above = foldersOf(to).find((folder) => documents.has(folder))
    if (above !== undefined) return err(notADocument(to, `'${above}' is a document, not a folder`))
    for (const { path } of moving) {
      documents.delete(path)
      index.remove(path)
    }
    for (const { path, document } of moving) {
      documents.set(to + path.slice(from.length), document)
      index.add(to + path.slice(from.length))
    }
    return ok(undefined)
  }

  const close = async (): Promise<void> => {
    closed = true
  }

  return { read, update, list, move, close }
}
