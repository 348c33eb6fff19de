/** Storage in memory: for tests, and for hosts that store nothing. */
import { err, ok, type Result } from '../shared/result.ts'
import { checkPaths, makeCut, type NamedPaths, type ReadDocuments } from './cut.ts'
import { byCodeUnit, checkFolder, closedError, isBelow } from './document-tree.ts'
import { applyPlan, type Documents, runPlan } from './plan.ts'
import type { DocumentInfo, StorageBackend, StoredDocument } from './storage-backend.ts'

const copyOf = (document: StoredDocument): StoredDocument => ({ ...document, bytes: new Uint8Array(document.bytes) })

/** By the object of a document, which each write makes anew. */
const stamps = new WeakMap<StoredDocument, string>()
let lastStamp = 0

const stampOf = (document: StoredDocument): string => {
  const stamp = stamps.get(document) ?? String(++lastStamp)
  stamps.set(document, stamp)
  return stamp
}

const infosBelow = (documents: Documents, folder: string): readonly DocumentInfo[] =>
  [...documents]
    .filter(([path]) => isBelow(path, folder))
    .map(([path, document]) => ({ path, size: document.bytes.length, stamp: stampOf(document) }))
    .sort((a, b) => byCodeUnit(a.path, b.path))

/** Each call creates an empty tree; two back ends with the same map share one tree. Bytes are copied on read and write. */
export const inMemoryBackend = (documents: Documents = new Map()): StorageBackend => {
  let closed = false

  const checked = (paths: readonly string[]): Result<NamedPaths> => (closed ? err(closedError()) : checkPaths(paths))

  const readOf = (named: NamedPaths): ReadDocuments => {
    const found = [...named.documents].flatMap((path) => {
      const document = documents.get(path)
      return document ? [[path, copyOf(document)] as const] : []
    })
    const infos = named.folders.flatMap((folder) => infosBelow(documents, folder))
    return { documents: new Map(found), infos: infos.sort((a, b) => byCodeUnit(a.path, b.path)) }
  }

  return {
    async read(paths) {
      const named = checked(paths)
      return named.ok ? ok(makeCut(named.value, readOf(named.value))) : named
    },
    async update(paths, plan) {
      const named = checked(paths)
      if (!named.ok) return named
      const planned = runPlan(named.value, readOf(named.value), plan)
      if (!planned.ok) return planned
      const after = applyPlan(documents, planned.value)
      if (!after.ok) return after
      for (const path of documents.keys()) if (!after.value.has(path)) documents.delete(path)
      for (const [path, document] of after.value) documents.set(path, document)
      return ok(planned.value.value)
    },
    async list(prefix) {
      if (closed) return err(closedError())
      const folder = checkFolder(prefix)
      return folder.ok ? ok(infosBelow(documents, folder.value)) : folder
    },
    async close() {
      closed = true
    },
  }
}
