/**
 * Moves the appends of an ended day into its day document. If killed at any moment, no record is lost or read twice: the document is
 * written first, and readers drop lines found in both.
 */

import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { equalContent } from '../storage/equal-content.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { decodeLines, encodeLines, mergeLines } from './journal-lines.ts'
import { dayDocumentPath } from './journal-path.ts'

interface Append {
  readonly path: string
  readonly document: StoredDocument
  readonly lines: readonly string[]
}

export interface CompactedDay {
  /** Number of appends that are now only in the day document. */
  readonly compacted: number
  /** Appends that could not be read; they are kept. */
  readonly problems: readonly HermesError[]
}

const itself = (line: string): string => line

/** Adds lines to the document of a day. Atomic; writes nothing if the document holds all of them already. */
export const addLines = async (storage: StorageBackend, day: string, added: readonly string[]): Promise<Result<void>> => {
  const path = dayDocumentPath(day)
  const held: { problem?: HermesError } = {}
  const updated = await updateDocument(storage, path, (document) => {
    delete held.problem
    const current = document ? decodeLines(path, document.bytes) : ok([])
    if (!current.ok) {
      held.problem = current.error
      return UNCHANGED
    }
    const merged = mergeLines(current.value, added, itself)
    return merged === current.value ? UNCHANGED : encodeLines(merged)
  })
  if (!updated.ok) return updated
  return held.problem ? err(held.problem) : ok(undefined)
}

/** Removes lines from the day document. */
const removeLines = async (storage: StorageBackend, day: string, lines: readonly string[]): Promise<Result<void>> => {
  const path = dayDocumentPath(day)
  const gone = new Set(lines)
  const updated = await updateDocument(storage, path, (document) => {
    const current = document ? decodeLines(path, document.bytes) : ok([])
    return current.ok && current.value.some((line) => gone.has(line))
      ? encodeLines(current.value.filter((line) => !gone.has(line)))
      : UNCHANGED
  })
  return updated.ok ? ok(undefined) : updated
}

/** `paths`: appends of this day, sorted by name. Several processes may compact the same day. */
export const compactDay = async (storage: StorageBackend, day: string, paths: readonly string[]): Promise<Result<CompactedDay>> => {
  const appends: Append[] = []
  const problems: HermesError[] = []
  for (const path of paths) {
    const document = await readDocument(storage, path)
    const lines = document.ok && document.value ? decodeLines(path, document.value.bytes) : undefined
    if (!document.ok) problems.push(document.error)
    else if (lines?.ok === false) problems.push(lines.error)
    else if (document.value && lines?.ok) appends.push({ path, document: document.value, lines: lines.value })
  }
  const added = await addLines(
    storage,
    day,
    appends.flatMap(({ lines }) => lines),
  )
  if (!added.ok) return added
  const changed: string[] = []
  for (const { path, document, lines } of appends) {
    let isChanged = false
    const removed = await updateDocument(storage, path, (current) => {
      isChanged = current !== undefined && !equalContent(current, document)
      return current && !isChanged ? undefined : UNCHANGED
    })
    if (!removed.ok) return removed
    if (isChanged) changed.push(...lines)
  }
  // Records were erased from these appends since they were read. What remains of them is compacted another time.
  const withdrawn = changed.length === 0 ? ok(undefined) : await removeLines(storage, day, changed)
  return withdrawn.ok ? ok({ compacted: appends.length, problems }) : withdrawn
}
