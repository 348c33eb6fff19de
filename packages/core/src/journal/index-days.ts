/** Updates the index of the journal: days whose document has changed, newest first, up to a limit per pass. */

import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { textsOfRecord } from './journal-filter.ts'
import { buildTextFilter, INDEX_FOLDER, type IndexedDay, monthOf, readIndexedMonth, updateIndexedMonth } from './journal-index.ts'
import { type JournalLayout, readJournalLayout } from './journal-layout.ts'
import { linesOf, parseRecord } from './journal-lines.ts'
import { DAYS_FOLDER, dayDocumentPath } from './journal-path.ts'

/** Number of lines read before other tasks get a turn. */
const LINES_AT_ONCE = 100

/** Undefined if the day document cannot be read: its day then gets no entry. */
const filterOf = async (storage: StorageBackend, day: string): Promise<Uint8Array | undefined> => {
  const path = dayDocumentPath(day)
  const document = await readDocument(storage, path)
  if (!document.ok || !document.value) return undefined
  const builder = buildTextFilter()
  for (const [index, { text }] of linesOf(path, document.value.bytes).entries()) {
    const record = parseRecord(text)
    for (const words of record ? textsOfRecord(record) : []) builder.add(words)
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await pause()
  }
  return builder.build()
}

const byMonth = (days: Iterable<string>): ReadonlyMap<string, readonly string[]> => {
  const months = new Map<string, string[]>()
  for (const day of [...days].sort().reverse()) {
    const month = monthOf(day)
    const others = months.get(month)
    if (others) others.push(day)
    else months.set(month, [day])
  }
  return months
}

const monthsOfIndex = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const listed = await storage.list(INDEX_FOLDER)
  if (!listed.ok) return listed
  return ok(listed.value.flatMap(({ path }) => /^(\d{4}-\d{2})\.json$/.exec(path.slice(INDEX_FOLDER.length + 1))?.[1] ?? []))
}

/** Days with appends are left out: a search reads them anyway. */
const daysToIndex = ({ documents, appends }: JournalLayout): readonly string[] => [...documents.keys()].filter((day) => !appends.has(day))

/** Returns the number of days indexed. */
export const indexDays = async (storage: StorageBackend, maxDays: number): Promise<Result<number>> => {
  const listed = await readJournalLayout(storage)
  if (!listed.ok) return listed
  // Stamps are read after the days with appends are known, and before the documents are read.
  const stamped = await readJournalLayout(storage, DAYS_FOLDER)
  if (!stamped.ok) return stamped
  const { documents } = stamped.value
  const indexed = await monthsOfIndex(storage)
  if (!indexed.ok) return indexed
  const months = byMonth(daysToIndex({ documents, appends: listed.value.appends }))
  let made = 0
  for (const month of [...new Set([...months.keys(), ...indexed.value])].sort().reverse()) {
    const known = await readIndexedMonth(storage, month)
    const fresh = new Map<string, IndexedDay>()
    for (const day of months.get(month) ?? []) {
      const stamp = documents.get(day)
      if (made >= maxDays || stamp === undefined || known.get(day)?.stamp === stamp) continue
      const filter = await filterOf(storage, day)
      if (filter) fresh.set(day, { stamp, filter })
      made += 1
      await pause()
    }
    const updated = await updateIndexedMonth(storage, month, fresh, (day) => documents.has(day))
    if (!updated.ok) return updated
  }
  return ok(made)
}
