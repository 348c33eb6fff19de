/** Takes the text that a review has read out of the records of its sessions. What is left over after a crash the next review takes out. */
import type { NudgeIntervals } from '../nudge/decide-review.ts'
import { noteKept, type ReviewState, type SavedCounts, type SessionReading, withoutRecord } from '../nudge/review-state.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { countsOf, type SessionRecord, sessionPath, sessionRecordSchema, withMarks } from './session-record.ts'
import { isAwaited } from './unread-turns.ts'

export interface ClearRecordsOptions {
  readonly storage: StorageBackend
  readonly intervals: NudgeIntervals
  readonly onFailure: (operation: string, error: HermesError) => void
}

const hasMarksOf = (one: SessionRecord, other: SessionRecord): boolean =>
  one.asked.turns === other.asked.turns &&
  one.asked.iterations === other.asked.iterations &&
  one.read.words === other.read.words &&
  one.read.everything === other.read.everything &&
  one.read.skills === other.read.skills

/** What the record still holds; undefined where it could not be written, or another one has taken its place. */
const clearRecord = async (
  reading: SessionReading,
  { storage, intervals, onFailure }: ClearRecordsOptions,
): Promise<SavedCounts | undefined> => {
  const cleared = await updateJsonDocument(storage, sessionPath(reading.id), sessionRecordSchema, (record) => {
    if (record?.createdAt !== reading.createdAt) return UNCHANGED
    const marked = withMarks(record, reading)
    const unread = marked.unread.filter((turn) => isAwaited(turn, marked.read, intervals))
    // Many sessions have nothing in this review, and their records stay as they are.
    return unread.length === record.unread.length && hasMarksOf(record, marked) ? UNCHANGED : { ...marked, unread }
  })
  if (!cleared.ok) onFailure('save session', cleared.error)
  return cleared.ok && cleared.value ? countsOf(cleared.value) : undefined
}

/** Answers what is to be noted of it in the state of the home. `gone`: sessions whose records are gone. */
export const clearRecords = async (
  readings: readonly SessionReading[],
  gone: readonly SessionReading[],
  options: ClearRecordsOptions,
): Promise<(state: ReviewState) => ReviewState> => {
  const cleared: SavedCounts[] = []
  for (const reading of readings) {
    const counts = await clearRecord(reading, options)
    if (counts) cleared.push(counts)
  }
  return (state) => cleared.reduce(noteKept, gone.reduce(withoutRecord, state))
}
