/** Whether records can still be undone. Read over the storage of the update that undoes them, so that it is true when that is written. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PYTHON_LEDGER_PATH } from '../storage/storage-paths.ts'
import { createJournal, type RecordStamps } from './journal.ts'
import { dayOf, journalPath } from './journal-days.ts'
import type { JournalRecord } from './journal-record.ts'
import { findUndone } from './plan-undo.ts'
import { blobPathsOf } from './python-ledger.ts'

/** How long an undo may take, and how far the clocks of two processes may be apart. */
const RECENT_MS = 600_000

/** What is undone is still in the journal, since a text that was forgotten does not come back, and no other undo was written since it was chosen. */
export const checkStanding = async (
  records: readonly JournalRecord[],
  over: StorageBackend,
  stamps: RecordStamps,
): Promise<Result<void>> => {
  const days = [...new Set(records.map(({ at, python }) => (python ? PYTHON_LEDGER_PATH : journalPath(dayOf(at)))))]
  const blobs = blobPathsOf(records)
  const cut = await over.read([...days, ...blobs])
  if (!cut.ok) return cut
  const lines = days.map((path) => new TextDecoder().decode(cut.value.document(path)?.bytes)).join('\n')
  // Python writes a space there.
  const isGone = ({ id }: JournalRecord) => !['', ' '].some((space) => lines.includes(`{"id":${space}${JSON.stringify(id)}`))
  if (records.some(isGone) || blobs.some((path) => !cut.value.document(path)))
    return err(new HermesError('not_found', 'This can no longer be undone: what it was about has been forgotten.'))
  const latest = await createJournal({ ...stamps, storage: over }).list({ since: stamps.clock() - RECENT_MS })
  if (!latest.ok) return latest
  const undone = findUndone(records, latest.value)
  if (!undone) return ok(undefined)
  const message = `The record ${undone.id.slice(0, 8)} has been undone in the meantime. 'hermes journal list' shows it.`
  return err(new HermesError('rejected', message))
}
