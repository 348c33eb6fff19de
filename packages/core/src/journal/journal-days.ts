/** The documents of the journal: one for each day (UTC), to which records are only ever appended. A day that is too old is removed as a whole. */
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'

export const DEFAULT_JOURNAL_RETAIN_DAYS = 365

const DAY_MS = 24 * 60 * 60 * 1000

const dayDocument = new RegExp(String.raw`^${JOURNAL_FOLDER}/(\d{4}-\d{2}-\d{2})\.jsonl$`)

/** `2026-03-01`, in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Those of the years that have four digits, as a document of the journal can name them. */
const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** As `dayOf`, also for a time that no document can have, such as `Infinity`. */
export const nearestDay = (at: number): string => dayOf(Math.min(Math.max(at, FIRST_TIME), LAST_TIME))

/** `journal/<YYYY-MM-DD>.jsonl` */
export const journalPath = (day: string): string => `${JOURNAL_FOLDER}/${day}.jsonl`

/** The day of a journal document; undefined for any other path. */
export const dayOfDocument = (path: string): string | undefined => dayDocument.exec(path)?.[1]

export interface JournalDay {
  readonly day: string
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Newest first. */
export const listJournalDays = async (storage: Pick<StorageBackend, 'list'>): Promise<Result<readonly JournalDay[]>> => {
  const listed = await storage.list(JOURNAL_FOLDER)
  if (!listed.ok) return listed
  const days = listed.value.flatMap(({ path, size }) => {
    const day = dayOfDocument(path)
    return day === undefined ? [] : [{ day, path, size }]
  })
  return ok(days.reverse())
}

export interface RetainDaysOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Days whose records are kept, today included. */
  readonly retainDays: number | 'forever'
}

/** The oldest day that was kept by the last pass of this process over a storage. */
const lastKept = new WeakMap<StorageBackend, string>()

/** Removes the days that are too old; looks for them once a day and process. Resolves to their number. */
export const removeOldDays = async ({ storage, clock, retainDays }: RetainDaysOptions): Promise<Result<number>> => {
  if (retainDays === 'forever') return ok(0)
  const oldest = dayOf(clock() - (retainDays - 1) * DAY_MS)
  if (lastKept.get(storage) === oldest) return ok(0)
  const days = await listJournalDays(storage)
  if (!days.ok) return days
  const old = days.value.filter(({ day }) => day < oldest)
  const put = Object.fromEntries(old.map(({ path }) => [path, null]))
  // The folder is named, not the days, so that nothing of them is read.
  const removed = old.length === 0 ? ok(0) : await storage.update([`${JOURNAL_FOLDER}/`], () => ({ put, value: old.length }))
  if (removed.ok) lastKept.set(storage, oldest)
  return removed
}
