/**
 * The journal: what was proposed, written or undone, by whom and why (DESIGN 5). A verb that changes a home puts its records into its own update, with
 * `prepareRecords`; `append` is for records alone.
 */

import { MAX_OP_CHARS } from '../memory/memory-op.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { mapTexts } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { documentVersion } from '../storage/document-version.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import { withStorage } from '../storage/with-storage.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { findRecords, type JournalFilter, toLineFilter } from './find-records.ts'
import { dayOf, journalPath, listJournalDays, nearestDay } from './journal-days.ts'
import type { JournalRecord } from './journal-record.ts'

/** A record before the journal sets its id and time. */
export type JournalRecordInput = Omit<JournalRecord, 'id' | 'at'>

/** The record says what was requested and how long it was. An undo puts back `previous`, which is complete, if the file still has the version that was written. */
const cutText = (text: string): string =>
  text.length <= MAX_OP_CHARS
    ? text
    : // Does not split a surrogate pair.
      `${text.slice(0, MAX_OP_CHARS).replace(/[\ud800-\udbff]$/, '')} [… cut: ${text.length.toLocaleString('en')} characters in all]`

/** The versions of files whose text is cut. */
const cutFiles = (op: JournalRecordInput['op']): NonNullable<JournalRecord['files']> => {
  if (!op || !('name' in op) || !('content' in op) || op.content.length <= MAX_OP_CHARS) return []
  const version = documentVersion({ bytes: new TextEncoder().encode(op.content) })
  return [{ path: op.action === 'write_file' ? op.filePath : SKILL_FILE, version }]
}

const stampRecord = ({ op, previous, files = [], ...rest }: JournalRecordInput, id: string, at: number): JournalRecord => ({
  id,
  at,
  ...redactSecrets(rest),
  ...(files.length + cutFiles(op).length > 0 ? { files: [...files, ...cutFiles(op)] } : {}),
  // Redacted before it is cut: half a key is still a secret.
  ...(op ? { op: mapTexts(redactSecrets(op), cutText) } : {}),
  ...(previous ? { previous: redactSecrets(previous) } : {}),
})

/** Lines of one day's document. */
export const encodeRecords = (records: readonly JournalRecord[]): Uint8Array =>
  new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))

export interface PreparedRecords {
  readonly records: readonly JournalRecord[]
  /** For the plan of an update, which has to name the path: `append: { [path]: bytes }`. Empty without records. */
  readonly append: Readonly<Record<string, Uint8Array>>
}

export interface RecordStamps {
  readonly clock: Clock
  /** Must return unique ids. */
  readonly createId: () => string
  /** The ids of the records that these take back. */
  readonly undoes?: readonly string[] | undefined
}

/**
 * Records with id and time, and what an update appends to the journal. Lines with a credential become `[redacted: looks like a secret]`; texts of an operation
 * beyond 16,000 characters are cut, with a mark.
 */
export const prepareRecords = (inputs: readonly JournalRecordInput[], { clock, createId, undoes }: RecordStamps): PreparedRecords => {
  const at = clock()
  const records = inputs.map((input) => stampRecord(undoes ? { ...input, undoes } : input, createId(), at))
  return { records, append: records.length === 0 ? {} : { [journalPath(dayOf(at))]: encodeRecords(records) } }
}

export interface Journal {
  /** Durable when it resolves. Credentials and very long operations are stored as `prepareRecords` says. */
  append(records: readonly JournalRecordInput[]): Promise<Result<readonly JournalRecord[]>>
  /** Newest last; reads only as many days as needed. `onProblem` is called for each unreadable line. */
  list(filter?: JournalFilter): Promise<Result<readonly JournalRecord[]>>
}

export interface JournalOptions extends RecordStamps {
  readonly storage: StorageBackend
  /** Called for each line that `list` could not read. */
  readonly onProblem?: (problem: HermesError) => void
}

const NO_TIME = "The 'since' or 'until' of a list of the journal is not a number. Give epoch milliseconds, such as Date.now()."

/** Throws a TypeError without a storage. */
export const createJournal = (options: JournalOptions): Journal => {
  const { storage, onProblem = () => {} } = withStorage('createJournal', options)
  return {
    append: async (inputs) => {
      const { records, append } = prepareRecords(inputs, options)
      if (records.length === 0) return ok(records)
      return storage.update(Object.keys(append), () => ({ append, value: records }))
    },

    list: async (filter = {}) => {
      const { limit = Number.POSITIVE_INFINITY, since, until } = filter
      if ([since, until].some((at) => at !== undefined && Number.isNaN(at))) return err(new HermesError('invalid', NO_TIME))
      const days = await listJournalDays(storage)
      if (!days.ok) return days
      const oldest = since === undefined ? '' : nearestDay(since)
      const newest = until === undefined ? '~' : nearestDay(until)
      const asked = days.value.filter(({ day }) => day >= oldest && day <= newest)
      const found = await findRecords(storage, asked, { ...toLineFilter(filter), limit, onProblem })
      if (!found.ok) return found
      const own = [...found.value].reverse()
      if (!filter.python) return ok(own)
      const { readPythonLedger } = await import('./python-ledger.ts')
      const python = await readPythonLedger(storage, filter, onProblem)
      if (!python.ok) return python
      // An id means the record of the journal, whatever the ledger says.
      const ids = new Set(own.map((record) => record.id))
      const both = [...python.value.filter(({ id }) => !ids.has(id)), ...own].sort((a, b) => a.at - b.at)
      return ok(both.slice(Math.max(0, both.length - limit)))
    },
  }
}

const REVIEW_ENDS: ReadonlySet<JournalRecord['kind']> = new Set(['review-finished', 'review-failed', 'review-stopped'])

export interface JournalCheck {
  /** Number of records. */
  readonly records: number
  readonly newest: JournalRecord | undefined
  /** The end of the last review, however it ended. */
  readonly lastReview: JournalRecord | undefined
}

/** Reads every record of a journal, and keeps none in memory. `onProblem` is called for each unreadable line. */
export const checkJournal = async (
  storage: StorageBackend,
  onProblem: (problem: HermesError) => void = () => {},
): Promise<Result<JournalCheck>> => {
  const days = await listJournalDays(storage)
  if (!days.ok) return days
  let records = 0
  let newest: JournalRecord | undefined
  let lastReview: JournalRecord | undefined
  const matches = (record: JournalRecord) => {
    records++
    newest ??= record
    if (REVIEW_ENDS.has(record.kind)) lastReview ??= record
    return false
  }
  const read = await findRecords(storage, days.value, { mayMatch: () => true, matches, limit: Number.POSITIVE_INFINITY, onProblem })
  return read.ok ? ok({ records, newest, lastReview }) : read
}
