/** Reads a cut, and does what a plan wants, within a transaction. */
import type { HermesError } from '@hermes/core'
import {
  byCodeUnit,
  type CheckedPlan,
  type Cut,
  checkStoragePath,
  type DocumentInfo,
  isBelow,
  makeCut,
  type NamedPaths,
  notADocument,
  nothingAt,
  occupiedAt,
  type StoredDocument,
} from '@hermes/core/storage'
import type { Documents } from './documents.ts'

export const inOrder = (infos: readonly DocumentInfo[]): readonly DocumentInfo[] => infos.toSorted((a, b) => byCodeUnit(a.path, b.path))

const loadInto = (found: Map<string, StoredDocument>, documents: Documents, path: string): void => {
  const document = documents.find(path)
  if (document) found.set(path, document)
}

const infosOf = (documents: Documents, { folders }: NamedPaths): readonly DocumentInfo[] => {
  const outermost = folders.filter((folder) => !folders.some((other) => other !== folder && isBelow(folder, other)))
  return inOrder(outermost.flatMap((folder) => [...documents.below(folder)]))
}

export const readCut = (documents: Documents, named: NamedPaths): Cut => {
  const found = new Map<string, StoredDocument>()
  for (const path of named.documents) loadInto(found, documents, path)
  return makeCut(named, { documents: found, infos: infosOf(documents, named) })
}

/** The cut of a plan, which runs within the transaction: it reads what the plan asks for, so an append to a long document does not read it. */
export const openCut = (documents: Documents, named: NamedPaths): { readonly cut: Cut; readonly end: () => void } => {
  const asked = new Set<string>()
  const found = new Map<string, StoredDocument>()
  const infos: DocumentInfo[] = []
  const read = makeCut(named, { documents: found, infos })
  let isListed = false
  let hasEnded = false
  const check = (): void => {
    if (hasEnded) throw new TypeError('The plan has ended. Read what its value needs within it.')
  }
  const cut: Cut = {
    document(path) {
      if (named.documents.has(path) && !asked.has(path)) {
        check()
        asked.add(path)
        loadInto(found, documents, path)
      }
      return read.document(path)
    },
    list(folder) {
      if (!isListed) {
        check()
        isListed = true
        infos.push(...infosOf(documents, named))
      }
      return read.list(folder)
    },
  }
  return {
    cut,
    end: () => {
      hasEnded = true
    },
  }
}

/** `found`: what is already near the path. */
const inTheWay = (path: string, found: string): HermesError =>
  notADocument(path, isBelow(path, found) ? `'${found}' is a document, not a folder` : 'it is a folder')

const moveIn = (documents: Documents, from: string, to: string): HermesError | undefined => {
  const source = documents.nearest(from)
  if (source === undefined || isBelow(from, source)) return nothingAt(from)
  const found = documents.nearest(to)
  if (found !== undefined) return isBelow(to, found) ? inTheWay(to, found) : occupiedAt(to)
  for (const path of documents.rename(from, to)) {
    const checked = checkStoragePath(path)
    if (!checked.ok) return checked.error
  }
  return undefined
}

/** The error of what cannot be done; then the transaction is to be undone. */
export const changeDocuments = (documents: Documents, { moves, puts, appends }: CheckedPlan<unknown>): HermesError | undefined => {
  for (const [from, to] of moves) {
    const problem = moveIn(documents, from, to)
    if (problem) return problem
  }
  for (const [path, put] of puts) if (put === null) documents.remove(path)
  for (const [path, put] of puts) {
    if (put === null) continue
    const found = documents.has(path) ? undefined : documents.nearest(path)
    if (found !== undefined) return inTheWay(path, found)
    documents.put(path, put.bytes, put.executable)
  }
  for (const [path, bytes] of appends) {
    if (documents.has(path)) documents.append(path, bytes)
    else {
      const found = documents.nearest(path)
      if (found !== undefined) return inTheWay(path, found)
      documents.put(path, bytes, false)
    }
  }
  return undefined
}
