/** Whether records can still be undone. Read over the storage of the update that undoes them, so that it is true when that is written. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createJournal, type RecordStamps } from './journal.ts'
import { dayOf, journalPath } from './journal-days.ts'
import type { JournalRecord } from './journal-record.ts'
import { findUndone } from './plan-undo.ts'
import { blobPathsOf, readPythonLedger } from './python-ledger.ts'

/** How long an undo may take, and how far the clocks of two processes may be apart. */
const RECENT_MS = 600_000

/** What is undone is still in the journal, since a text that was forgotten does not come back, and no other undo was written since it was chosen. */
export const checkStanding = async (
  records: readonly JournalRecord[],
  over: StorageBackend,
  stamps: RecordStamps,
): Promise<Result<void>> => {
  const ofPython = records.filter(({ python }) => python)
  const days = [...new Set(records.flatMap(({ at, python }) => (python ? [] : journalPath(dayOf(at)))))]
  // What went to the archive or came from it needs no file of then.
  const blobs = blobPathsOf(ofPython.filter(({ python }) => !python?.files.some(({ archived }) => archived !== undefined)))
  const paths = [...days, ...blobs]
  const cut = paths.length === 0 ? undefined : await over.read(paths)
  if (cut && !cut.ok) return cut
  const bytesAt = (path: string) => cut?.value.document(path)?.bytes
  const lines = days.map((path) => new TextDecoder().decode(bytesAt(path))).join('\n')
  const ledger = ofPython.length === 0 ? ok([]) : await readPythonLedger(over, {})
  if (!ledger.ok) return ledger
  const inLedger = new Set(ledger.value.map(({ id }) => id))
  const isGone = ({ id, python }: JournalRecord) => (python ? !inLedger.has(id) : !lines.includes(`{"id":${JSON.stringify(id)}`))
  if (records.some(isGone) || blobs.some((path) => !bytesAt(path)))
    return err(new HermesError('not_found', 'This can no longer be undone: what it was about has been forgotten.'))
  const latest = await createJournal({ ...stamps, storage: over }).list({ since: stamps.clock() - RECENT_MS })
  if (!latest.ok) return latest
  const undone = findUndone(records, latest.value)
  if (!undone) return ok(undefined)
  const message = `The record ${undone.id.slice(0, 8)} has been undone in the meantime. 'hermes journal list' shows it.`
  return err(new HermesError('rejected', message))
}
