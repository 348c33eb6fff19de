/** Reads one day, the newest record first, and no more of it than is asked for. Safe while another process compacts the day. */
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { brokenLine, type JournalLine, linesBackwards, linesOf, parseRecord } from './journal-lines.ts'
import { appendsFolder, dayDocumentPath, dayOfAppend } from './journal-path.ts'
import type { JournalRecord } from './journal-record.ts'
import { mergeLines } from './merge-lines.ts'

export interface DayScan {
  /** Maximum number of records. */
  readonly limit: number
  /** Asked of the raw line first; false only where the record would not match either. */
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

/** Undefined for a document that is gone: another process compacted it in the meantime. */
const readAppend = async (storage: StorageBackend, path: string, { onProblem }: DayScan): Promise<readonly JournalLine[] | undefined> => {
  const document = await storage.read(path)
  if (document.ok) return document.value && linesOf(path, document.value.bytes)
  onProblem(document.error)
  return []
}

const readDayDocument = async (storage: StorageBackend, day: string, { onProblem }: DayScan): Promise<Uint8Array> => {
  const document = await storage.read(dayDocumentPath(day))
  if (!document.ok) onProblem(document.error)
  return (document.ok && document.value?.bytes) || new Uint8Array()
}

/** Undefined where some of them are gone by now. */
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

/** A day that is compacted in part: the appends are read before the day document, which holds whatever goes missing among them. */
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

/** The newest first. Fails with the error of the storage where the day cannot be listed; a document that cannot be read costs its own records. */
export const readJournalDay = async (storage: StorageBackend, day: string, scan: DayScan): Promise<Result<readonly JournalRecord[]>> => {
  const listed = await storage.list(appendsFolder(day))
  if (!listed.ok) return listed
  const paths = listed.value.map(({ path }) => path).filter((path) => dayOfAppend(path) === day)
  // After the listing, so that what was compacted before it is seen here.
  const bytes = await readDayDocument(storage, day, scan)
  if (paths.length === 0) return ok(takeNewest(linesBackwards(dayDocumentPath(day), bytes), scan))
  const newest = bytes.length === 0 ? await readNewestAppends(storage, paths, scan) : undefined
  return ok(newest ?? (await readMerged(storage, day, paths, scan)))
}
