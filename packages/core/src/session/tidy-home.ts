/** Housekeeping of a home: removes old session records and journal records, and runs due reviews and the curator. */

import * as z from 'zod/mini'
import type { ScheduledRun } from '../curator/curator-event.ts'
import { removeOldDays } from '../journal/journal-days.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { readCopyName } from './session-record.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MARKER_PATH = `${SESSIONS_FOLDER}/.pruned.json`

const markerSchema = /* @__PURE__ */ z.lazy(() => z.object({ lastPrunedAt: z.number() }))

// Only the age counts, so records of a newer version are removed too.
const agedSchema = /* @__PURE__ */ z.lazy(() => z.looseObject({ updatedAt: z.number() }))

/**
 * Removes one document that is older than `cutoff` (epoch milliseconds): a record or an unreadable copy. True if it was removed. A document without a
 * readable age stays.
 */
const pruneOne = async (storage: StorageBackend, path: string, cutoff: number): Promise<Result<boolean>> => {
  const copy = readCopyName(path)
  if (copy) {
    if (copy.at >= cutoff) return ok(false)
    const cleared = await updateDocument(storage, path, () => undefined)
    return cleared.ok ? ok(true) : cleared
  }
  const seen = await readJsonDocument(storage, path, agedSchema)
  if (!seen.ok || seen.value === undefined || seen.value.updatedAt >= cutoff) return ok(false)
  let gone = false
  const change = await updateJsonDocument(storage, path, agedSchema, (current) => {
    // The record may have been used after it was first read.
    gone = current !== undefined && current.updatedAt < cutoff
    return gone ? undefined : UNCHANGED
  })
  return change.ok ? ok(gone) : change
}

/** Removes session records that are unused for `retainDays`; 0 keeps them for ever. Resolves to the number of removed documents. */
export const pruneSessions = async (storage: StorageBackend, retainDays: number, clock: Clock): Promise<Result<number>> => {
  if (retainDays <= 0) return ok(0)
  const now = clock()
  let mine = false
  const claimed = await updateJsonDocument(storage, MARKER_PATH, markerSchema, (marker) => {
    mine = marker === undefined || now - marker.lastPrunedAt >= DAY_MS
    return mine ? { lastPrunedAt: now } : UNCHANGED
  })
  if (!claimed.ok) return claimed
  if (!mine) return ok(0)
  const listed = await storage.list(SESSIONS_FOLDER)
  if (!listed.ok) return listed
  let removed = 0
  for (const { path } of listed.value) {
    const pruned = await pruneOne(storage, path, now - retainDays * DAY_MS)
    if (!pruned.ok) return pruned
    if (pruned.value) removed++
  }
  return ok(removed)
}

export interface TidyHomeOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  /** Days after which an unused session record is removed; 0 = never. */
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  readonly onFailure: (operation: string, error: HermesError) => void
}

export const pruneOldSessions = async ({ storage, clock, retainDays, onFailure }: TidyHomeOptions): Promise<void> => {
  const pruned = await pruneSessions(storage, retainDays, clock)
  if (!pruned.ok) onFailure('prune sessions', pruned.error)
}

export const pruneOldJournal = async ({ storage, clock, journalRetainDays, onFailure }: TidyHomeOptions): Promise<void> => {
  const removed = await removeOldDays({ storage, clock, retainDays: journalRetainDays })
  if (!removed.ok) onFailure('prune journal', removed.error)
}

interface TendHomeOptions extends TidyHomeOptions {
  /** Runs a due review, or adds it to a queue. 1 if a review read something. Never rejects. */
  readonly review: (signal: AbortSignal) => Promise<number>
  /** Delivers what waits for the memory provider. Never rejects. */
  readonly deliver: () => Promise<void>
  /** Undefined if the curator is switched off. */
  readonly maybeRun: (() => Promise<ScheduledRun>) | undefined
  /** No further step begins after it fires. */
  readonly signal: AbortSignal
}

export interface TendedHome {
  /** 1 if a due review read something, however many reviews followed it; otherwise 0. */
  readonly reviews: number
  readonly curator: ScheduledRun | undefined
}

/** What a home needs even without conversations: a due review, delivery to the memory provider, removal of old records, and the curator if it is due. */
export const tendHome = async (options: TendHomeOptions): Promise<TendedHome> => {
  const { review, maybeRun, signal } = options
  const reviews = signal.aborted ? 0 : await review(signal)
  if (!signal.aborted) await options.deliver()
  if (!signal.aborted) await pruneOldSessions(options)
  if (!signal.aborted) await pruneOldJournal(options)
  return { reviews, curator: signal.aborted ? undefined : await maybeRun?.() }
}
