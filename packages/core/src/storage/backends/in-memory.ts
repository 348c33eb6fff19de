/** Storage in memory: for tests, and for hosts that store nothing. */
import { err, ok, type Result } from '../../shared/result.ts'
import { checkChangeResult } from '../check-change-result.ts'
import { byCodeUnit, checkFolder, checkMove, closedError, isBelow, notADocument, nothingAt, occupiedAt } from '../document-tree.ts'
import { type DocumentChange, type DocumentInfo, type StorageBackend, type StoredDocument, UNCHANGED } from '../storage-backend.ts'
import { checkStoragePath } from '../storage-paths.ts'

const copyOf = (document: StoredDocument): StoredDocument => ({ ...document, bytes: document.bytes.slice() })

// Shared by all trees, so that versions are unique.
let writes = 0

/**
 * Each call creates an empty tree; two back ends with the same map share one tree. Bytes are copied on read and write. An update is
 * synchronous, so updates of a path never overlap.
 */
export const inMemoryBackend = (documents: Map<string, StoredDocument> = new Map()): StorageBackend => {
  let closed = false

  const check = (path: Result<unknown>): Result<unknown> => (closed ? err(closedError()) : path)

  const conflictAt = (path: string) => {
    for (const other of documents.keys()) {
      if (isBelow(other, path)) return notADocument(path, 'it is a folder')
      if (isBelow(path, other)) return notADocument(path, `'${other}' is a document, not a folder`)
    }
    return undefined
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
      documents.delete(path)
      return ok(undefined)
    }
    const conflict = current ? undefined : conflictAt(path)
    if (conflict) return err(conflict)
    // `slice` of a Buffer would not copy.
    const written = { bytes: new Uint8Array(next.bytes), version: String(++writes), ...(next.executable ? { executable: true } : {}) }
    documents.set(path, written)
    return ok(copyOf(written))
  }

  const list = async (prefix: string): Promise<Result<readonly DocumentInfo[]>> => {
    const checked = check(checkFolder(prefix))
    if (!checked.ok) return checked
    const below = [...documents].filter(([path]) => isBelow(path, prefix))
    return ok(
      below.map(([path, { bytes, version }]) => ({ path, size: bytes.length, stamp: version })).sort((a, b) => byCodeUnit(a.path, b.path)),
    )
  }

  const move = async (from: string, to: string): Promise<Result<void>> => {
    const checked = check(checkMove(from, to))
    if (!checked.ok) return checked
    const moving = [...documents].filter(([path]) => path === from || isBelow(path, from))
    if (moving.length === 0) return err(nothingAt(from))
    for (const path of documents.keys()) {
      if (path === to || isBelow(path, to)) return err(occupiedAt(to))
      if (isBelow(to, path)) return err(notADocument(to, `'${path}' is a document, not a folder`))
    }
    for (const [path] of moving) documents.delete(path)
    for (const [path, document] of moving) documents.set(to + path.slice(from.length), document)
    return ok(undefined)
  }

  const close = async (): Promise<void> => {
    closed = true
  }

  return { read, update, list, move, close }
}
