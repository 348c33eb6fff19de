/** Which days have records, without a look at the records themselves. */
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { daysIn, readJournalLayout } from './journal-layout.ts'
import { DAYS_FOLDER } from './journal-path.ts'
import { readJournalState } from './journal-state.ts'

/** The newest first. One small listing; in a home that was never tidied, the whole journal is listed. */
export const listJournalDays = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const state = await readJournalState(storage)
  if (!state.ok) return state
  const layout = await readJournalLayout(storage, state.value?.daysKnown ? DAYS_FOLDER : JOURNAL_FOLDER)
  return layout.ok ? ok(daysIn(layout.value)) : layout
}
