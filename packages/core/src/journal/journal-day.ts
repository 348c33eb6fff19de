/** Reads one day, newest record first, up to the requested number. Safe while another process compacts the day. */

import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { brokenLine, type JournalLine, linesBackwards, linesOf, mergeLines, parseRecord } from './journal-lines.ts'
import { appendsFolder, dayDocumentPath, dayOfAppend } from './journal-path.ts'
import type { JournalRecord } from './journal-record.ts'

export interface DayScan {
  /** Maximum number of records. */
  readonly limit: number
  /** Called with the raw line first; may be false only if the record would not match either. */
  readonly mayMatch: (line: string) => boolean
  readonly matches: (record: JournalRecord) => boolean
  /** Called for each line and each document that cannot be read. */
  readonly onProblem: (problem: HermesError) => void
}

const recordAt = (line: JournalLine, { mayMatch, matches, onProblem }: DayScan): readonly JournalRecord[] => {
  if (!mayMatch(line.text)) return []
  const record = parseRecord(line.text)
  if (!record) onProblem(brokenLine(line))
  return record && matches(record) ? [record] : []
}

const takeNewest = (newestFirst: Iterable<JournalLine>, scan: DayScan): readonly JournalRecord[] => {
  const found: JournalRecord[] = []
  for (const line of newestFirst) {
    found.push(...recordAt(line, scan))
    if (found.length >= scan.limit) break
  }
  return found
}

/** Undefined for a document that is gone: another process has compacted it. */
const readAppend = async (storage: StorageBackend, path: string, { onProblem }: DayScan): Promise<readonly JournalLine[] | undefined> => {
  const document = await readDocument(storage, path)
  if (document.ok) return document.value && linesOf(path, document.value.bytes)
  onProblem(document.error)
  return []
}

const readDayDocument = async (storage: StorageBackend, day: string, { onProblem }: DayScan): Promise<Uint8Array> => {
  const document = await readDocument(storage, dayDocumentPath(day))
  if (!document.ok) onProblem(document.error)
  return (document.ok && document.value?.bytes) || new Uint8Array()
}

/** Undefined if some of them are gone. */
const readNewestAppends = async (
  storage: StorageBackend,
  paths: readonly string[],
  scan: DayScan,
): Promise<readonly JournalRecord[] | undefined> => {
  const found: JournalRecord[] = []
  for (const path of [...paths].reverse()) {
    const lines = await readAppend(storage, path, scan)
    if (!lines) return undefined
    found.push(...lines.flatMap((line) => recordAt(line, scan)).reverse())
    if (found.length >= scan.limit) break
  }
  return found.slice(0, scan.limit)
}

/**
 * For a partly compacted day: appends are read before the day document, so that any append removed meanwhile is found in the document.
 */
const readMerged = async (
  storage: StorageBackend,
  day: string,
  paths: readonly string[],
  scan: DayScan,
): Promise<readonly JournalRecord[]> => {
  const added: JournalLine[] = []
  for (const path of paths) added.push(...((await readAppend(storage, path, scan)) ?? []))
  const current = linesOf(dayDocumentPath(day), await readDayDocument(storage, day, scan))
  return takeNewest([...mergeLines(current, added, ({ text }) => text)].reverse(), scan)
}

/** Newest first. Fails if the day cannot be listed; for an unreadable document only its own records are missing. */
export const readJournalDay = async (storage: StorageBackend, day: string, scan: DayScan): Promise<Result<readonly JournalRecord[]>> => {
  const listed = await storage.list(appendsFolder(day))
  if (!listed.ok) return listed
  const paths = listed.value.map(({ path }) => path).filter((path) => dayOfAppend(path) === day)
  // Read after the listing, so that it holds everything compacted before.
  const bytes = await readDayDocument(storage, day, scan)
  if (paths.length === 0) return ok(takeNewest(linesBackwards(dayDocumentPath(day), bytes), scan))
  const newest = bytes.length === 0 ? await readNewestAppends(storage, paths, scan) : undefined
  return ok(newest ?? (await readMerged(storage, day, paths, scan)))
}
