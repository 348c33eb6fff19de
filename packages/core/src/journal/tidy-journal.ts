/**
 * Keeps the journal small and quick to read: ended days become one document each and are indexed, old days are removed. At most one
 * bounded pass a day per home, over all processes.
 */

import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { compactDay } from './compact-day.ts'
import { indexDays } from './index-days.ts'
import { daysIn, type JournalLayout, readJournalLayout } from './journal-layout.ts'
import { dayDocumentPath, dayOf } from './journal-path.ts'
import { type JournalState, readJournalState, updateJournalState } from './journal-state.ts'
import { DEFAULT_JOURNAL_RETAIN_DAYS } from './retain-days.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Milliseconds after the end of a day, for writers whose clocks are slow. */
const GRACE_MS = 60 * 60 * 1000

// The plan of one pass: which days expire, and which ended days are compacted. Pure.

interface TidyLimits {
  /** Epoch milliseconds. */
  readonly now: number
  /** Days whose records are kept, today included. */
  readonly retainDays: number | 'forever'
  /** Maximum number of documents in the whole pass. */
  readonly maxDocuments: number
}

interface DayWork {
  readonly day: string
  readonly paths: readonly string[]
  /** True if all of the day's appends are included; false if the pass is full. */
  readonly whole: boolean
}

interface TidyPlan {
  /** Oldest first. */
  readonly expire: readonly DayWork[]
  /** Newest first, since those are read most. */
  readonly compact: readonly DayWork[]
}

const takeWork = (days: readonly string[], appends: JournalLayout['appends'], maxDocuments: number): readonly DayWork[] => {
  const work: DayWork[] = []
  let left = maxDocuments
  for (const day of days) {
    if (left <= 0) break
    const all = appends.get(day) ?? []
    const paths = all.slice(0, left)
    work.push({ day, paths, whole: paths.length === all.length })
    left -= Math.max(1, paths.length)
  }
  return work
}

export const planTidy = (layout: JournalLayout, { now, retainDays, maxDocuments }: TidyLimits): TidyPlan => {
  const oldestKept = retainDays === 'forever' ? '' : dayOf(now - (retainDays - 1) * DAY_MS)
  const running = dayOf(now - GRACE_MS)
  const days = daysIn(layout)
  // At most half of the pass, so that neither kind of work blocks the other.
  const expire = takeWork(days.filter((day) => day < oldestKept).reverse(), layout.appends, Math.ceil(maxDocuments / 2))
  const used = expire.reduce((sum, { paths }) => sum + Math.max(1, paths.length), 0)
  const ended = days.filter((day) => day >= oldestKept && day < running && layout.appends.has(day))
  return { expire, compact: takeWork(ended, layout.appends, maxDocuments - used) }
}

const DEFAULT_MAX_DOCUMENTS = 2_000
/** Maximum number of days read and indexed in one pass. */
const MAX_INDEXED_DAYS = 100
/** Number of appends held in memory before they are written as one. */
const APPENDS_AT_ONCE = 500

export interface TidyJournalOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Days whose records are kept, today included. Default 365. */
  readonly retainDays?: number | 'forever'
  /** Maximum number of documents that one pass compacts or removes. Default 2,000. */
  readonly maxDocuments?: number
}

export interface TidiedJournal {
  /** Number of appends moved into a day document. */
  readonly compacted: number
  /** Number of days removed because of their age. */
  readonly expired: number
  /** Documents that could not be read; they are kept. */
  readonly problems: readonly HermesError[]
}

/** False if another pass began less than a day ago. */
const claimPass = async ({ storage, clock }: TidyJournalOptions): Promise<Result<boolean>> => {
  const now = clock()
  const isDue = (state: JournalState | undefined) => state === undefined || now - state.tidiedAt >= DAY_MS || now < state.tidiedAt
  // Most calls end here, without a lock.
  const seen = await readJournalState(storage)
  if (!seen.ok) return seen
  if (!isDue(seen.value)) return ok(false)
  let mine = false
  const claimed = await updateJournalState(storage, (state) => {
    mine = isDue(state)
    return mine ? { version: 1, tidiedAt: now, daysKnown: state?.daysKnown ?? false } : undefined
  })
  return claimed.ok ? ok(mine) : claimed
}

/** Creates missing day documents, then records that all days are known. */
const announceDays = async (storage: StorageBackend, { documents, appends }: JournalLayout): Promise<Result<void>> => {
  for (const day of appends.keys()) {
    if (documents.has(day)) continue
    const announced = await updateDocument(storage, dayDocumentPath(day), (current) => (current ? UNCHANGED : new Uint8Array()))
    if (!announced.ok) return announced
  }
  return updateJournalState(storage, (state) => (state && !state.daysKnown ? { ...state, daysKnown: true } : undefined))
}

/** Removes the day document last, so that a day whose removal was interrupted is still known. */
const removeDay = async (storage: StorageBackend, { day, paths, whole }: DayWork): Promise<Result<void>> => {
  for (const path of whole ? [...paths, dayDocumentPath(day)] : paths) {
    const removed = await updateDocument(storage, path, () => undefined)
    if (!removed.ok) return removed
  }
  return ok(undefined)
}

/** Undefined if another pass began less than a day ago. After an interruption the next pass continues. */
export const tidyJournal = async (options: TidyJournalOptions): Promise<Result<TidiedJournal | undefined>> => {
  const { storage, clock, retainDays = DEFAULT_JOURNAL_RETAIN_DAYS, maxDocuments = DEFAULT_MAX_DOCUMENTS } = options
  const mine = await claimPass(options)
  if (!mine.ok) return mine
  if (!mine.value) return ok(undefined)
  const layout = await readJournalLayout(storage)
  if (!layout.ok) return layout
  const announced = await announceDays(storage, layout.value)
  if (!announced.ok) return announced

  const { expire, compact } = planTidy(layout.value, { now: clock(), retainDays, maxDocuments })
  for (const work of expire) {
    const removed = await removeDay(storage, work)
    if (!removed.ok) return removed
    await pause()
  }
  const problems: HermesError[] = []
  let compacted = 0
  for (const { day, paths } of compact) {
    for (let from = 0; from < paths.length; from += APPENDS_AT_ONCE) {
      const done = await compactDay(storage, day, paths.slice(from, from + APPENDS_AT_ONCE))
      if (!done.ok) return done
      compacted += done.value.compacted
      problems.push(...done.value.problems)
      await pause()
    }
  }
  const indexed = await indexDays(storage, MAX_INDEXED_DAYS)
  if (!indexed.ok) return indexed
  return ok({ compacted, expired: expire.filter(({ whole }) => whole).length, problems })
}
