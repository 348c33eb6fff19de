/** The days that a search has to read, the newest first: those whose records may hold the text, and those of which nothing is known. */
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { openJournalIndex } from './journal-index.ts'
import { daysIn, readJournalLayout } from './journal-layout.ts'
import { DAYS_FOLDER } from './journal-path.ts'

export const listDaysToSearch = async (storage: StorageBackend, text: string): Promise<Result<readonly string[]>> => {
  const layout = await readJournalLayout(storage)
  if (!layout.ok) return layout
  // Once more: a day that was compacted between the two looks has another stamp by now, and is read.
  const stamped = await readJournalLayout(storage, DAYS_FOLDER)
  if (!stamped.ok) return stamped
  const { appends } = layout.value
  const { documents } = stamped.value
  const index = openJournalIndex(storage)
  const days: string[] = []
  for (const day of daysIn({ documents, appends })) {
    if (appends.has(day) || (await index.mayHold(day, documents.get(day), text))) days.push(day)
  }
  return ok(days)
}
