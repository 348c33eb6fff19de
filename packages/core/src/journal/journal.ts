/**
 * The journal: what was proposed, written or undone, by whom and why (DESIGN 5). Append-only; one document per append, so that writers do
 * not conflict.
 */

import { MAX_OP_CHARS, type MemoryOp } from '../memory/memory-op.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { type DocumentChange, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'
import { withStorage } from '../storage/with-storage.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { readJournalDay } from './journal-day.ts'
import { type JournalFilter, toLineFilter } from './journal-filter.ts'
import { openJournalIndex } from './journal-index.ts'
import { daysIn, readJournalLayout } from './journal-layout.ts'
import { encodeJournal } from './journal-lines.ts'
import { appendPath, DAYS_FOLDER, dayDocumentPath, dayOf } from './journal-path.ts'
import type { JournalRecord } from './journal-record.ts'
import { readJournalState } from './journal-state.ts'

// Very long texts are shortened: the record says what was requested and how long it was.

const cutText = (text: string): string =>
  text.length <= MAX_OP_CHARS
    ? text
    : // Does not split a surrogate pair.
      `${text.slice(0, MAX_OP_CHARS).replace(/[\ud800-\udbff]$/, '')} [… cut: ${text.length.toLocaleString('en')} characters in all]`

/**
 * The same operation with texts cut to 16,000 characters and a mark. Undo does not need them: a created skill is archived again, and
 * other changes are undone from the record's `previous`, which is complete.
 */
export const cutOp = (op: MemoryOp | SkillOp): MemoryOp | SkillOp => {
  switch (op.action) {
    case 'replace':
      return { ...op, oldText: cutText(op.oldText), content: cutText(op.content) }
    case 'remove':
      return { ...op, oldText: cutText(op.oldText) }
    case 'patch':
      return { ...op, oldText: cutText(op.oldText), newText: cutText(op.newText) }
    case 'remove_file':
    case 'archive':
      return op
    default:
      return { ...op, content: cutText(op.content) }
  }
}

/** Newest first. One small listing; for a home that was never tidied, a listing of the whole journal. */
const listJournalDays = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const state = await readJournalState(storage)
  if (!state.ok) return state
  const layout = await readJournalLayout(storage, state.value?.daysKnown ? DAYS_FOLDER : JOURNAL_FOLDER)
  return layout.ok ? ok(daysIn(layout.value)) : layout
}

const listDaysToSearch = async (storage: StorageBackend, text: string): Promise<Result<readonly string[]>> => {
  const layout = await readJournalLayout(storage)
  if (!layout.ok) return layout
  // Listed again: a day compacted between the two listings has another stamp, and is read.
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

/** A record before the journal sets its id and time. */
export type JournalRecordInput = Omit<JournalRecord, 'id' | 'at'>

export interface Journal {
  /**
   * Durable when it resolves. Lines with a credential are stored as `[redacted: looks like a secret]`; very long operations are cut, with
   * a mark.
   */
  append(records: readonly JournalRecordInput[]): Promise<Result<readonly JournalRecord[]>>
  /** Newest last; reads only as many days as needed. `onProblem` is called for each unreadable line. */
  list(filter?: JournalFilter): Promise<Result<readonly JournalRecord[]>>
}

/** The time in the name of the newest append, in epoch milliseconds. */
export interface AppendNames {
  lastAt: number
}

export interface JournalOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Must return unique ids that are valid in file names. */
  readonly createId: () => string
  /** Shared by the journals of a home: two appends of the same millisecond keep their order by name. */
  readonly names?: AppendNames | undefined
  /** Called for each line that `list` could not read. */
  readonly onProblem?: (problem: HermesError) => void
}

const MAX_ID_ATTEMPTS = 5

const DAY_MS = 86_400_000

/** Writes a new document; never overwrites one, even if an id is repeated. */
const writeNew = async (storage: StorageBackend, at: number, id: string, bytes: Uint8Array): Promise<Result<void>> => {
  for (let attempt = 1; attempt <= MAX_ID_ATTEMPTS; attempt++) {
    let taken = false
    const path = appendPath(at, attempt === 1 ? id : `${id}-${attempt}`)
    const unlessTaken: DocumentChange = (current) => {
      taken = current !== undefined
      return taken ? UNCHANGED : bytes
    }
    const written = await updateDocument(storage, path, unlessTaken)
    if (!written.ok) return written
    if (!taken) return ok(undefined)
  }
  return err(new HermesError('occupied', `The journal id '${id}' is taken. Give 'createId' a source of unique ids.`))
}

/** Throws a TypeError without a storage. */
export const createJournal = (options: JournalOptions): Journal => {
  const {
    storage,
    clock,
    createId,
    names = { lastAt: Number.NEGATIVE_INFINITY },
    onProblem = () => {},
  } = withStorage('createJournal', options)
  let announcedDay: string | undefined

  /** Creates the day document first, so that readers know every day with records. */
  const announce = async (day: string): Promise<Result<void>> => {
    if (announcedDay === day) return ok(undefined)
    const announced = await updateDocument(storage, dayDocumentPath(day), (current) => (current ? UNCHANGED : new Uint8Array()))
    if (!announced.ok) return announced
    announcedDay = day
    return ok(undefined)
  }

  return {
    append: async (inputs) => {
      const [first, ...rest] = inputs
      if (first === undefined) return ok([])
      const at = clock()
      // Redacted before it is cut: half a key is still a secret.
      const stamp = (input: JournalRecordInput): JournalRecord => {
        const { op, previous, ...rest } = input
        return {
          id: createId(),
          at,
          ...redactSecrets(rest),
          ...(op ? { op: cutOp(redactSecrets(op)) } : {}),
          ...(previous ? { previous: redactSecrets(previous) } : {}),
        }
      }
      const head = stamp(first)
      const records = [head, ...rest.map(stamp)]
      const namedAt = Math.max(at, names.lastAt + 1)
      names.lastAt = namedAt
      const announced = await announce(dayOf(namedAt))
      if (!announced.ok) return announced
      const written = await writeNew(storage, namedAt, head.id, encodeJournal(records))
      return written.ok ? ok(records) : written
    },

    list: async (filter = {}) => {
      const { limit = Number.POSITIVE_INFINITY, since, until, text } = filter
      const days = await (text === undefined ? listJournalDays(storage) : listDaysToSearch(storage, text))
      if (!days.ok) return days
      const oldest = since === undefined ? '' : dayOf(since)
      // A record may be named after a later time than its own.
      const newest = until === undefined ? '~' : dayOf(until + DAY_MS)
      const newestFirst: JournalRecord[] = []
      for (const day of days.value) {
        if (newestFirst.length >= limit || day < oldest) break
        if (day > newest) continue
        const scan = { ...toLineFilter(filter), limit: limit - newestFirst.length, onProblem }
        const found = await readJournalDay(storage, day, scan)
        if (!found.ok) return found
        newestFirst.push(...found.value)
      }
      return ok(newestFirst.reverse())
    },
  }
}
