/** Housekeeping of a home, loaded behind the first prompt of a session: removes old session records and journal records, and runs due reviews and the curator. */
import * as z from 'zod/mini'
import type { ScheduledRun } from '../curator/report.ts'
import { removeOldDays } from '../journal/journal-days.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readableJsonIn, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import type { SessionContext } from './session-context.ts'
import { readCopyName } from './session-record.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Maximum number of documents in one update, since all of them are parsed at once. */
const MOST_REMOVED = 20
const MARKER_PATH = `${SESSIONS_FOLDER}/.pruned.json`

const markerSchema = /* @__PURE__ */ z.lazy(() => z.object({ lastPrunedAt: z.number() }))

// Only the age counts, so records of a newer version are removed too.
const agedSchema = /* @__PURE__ */ z.lazy(() => z.looseObject({ updatedAt: z.number() }))

/** True for a record or an unreadable copy that is older than `cutoff` (epoch milliseconds). A document without a readable age is not. */
const isOld = (path: string, record: { readonly updatedAt: number } | undefined, cutoff: number): boolean => {
  const at = readCopyName(path)?.at ?? record?.updatedAt
  return at !== undefined && at < cutoff
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
  const cutoff = now - retainDays * DAY_MS
  const old: string[] = []
  for (const { path } of listed.value) {
    const read = readCopyName(path) ? ok(undefined) : await readJsonDocument(storage, path, agedSchema)
    if (read.ok && isOld(path, read.value, cutoff)) old.push(path)
  }
  let removed = 0
  for (let at = 0; at < old.length; at += MOST_REMOVED) {
    const paths = old.slice(at, at + MOST_REMOVED)
    const pruned = await storage.update(paths, (cut) => {
      // A record may have been used after it was read.
      const gone = paths.filter((path) => isOld(path, readableJsonIn(cut, path, agedSchema), cutoff))
      return { put: Object.fromEntries(gone.map((path) => [path, null])), value: gone.length }
    })
    if (!pruned.ok) return pruned
    removed += pruned.value
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

export interface TendHomeOptions extends TidyHomeOptions {
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

/** Moves entries of memory that are over to the archive, in one update with their lines in the journal. */
const archiveExpired = (context: SessionContext): Promise<Result<unknown>> =>
  context.home.inOneUpdate<unknown>('curator', async ({ createMemoryStore, journal }) => {
    const store = createMemoryStore((error) => context.failed('archive expired entries', error), context.project)
    const archived = await store.archiveExpired()
    if (!archived.ok || archived.value.length === 0) return archived
    return journal.append(archived.value.map((each) => ({ actor: 'curator', kind: 'applied', ...each })))
  })

/** Archives what no longer holds and removes what is too old, behind the start of a session. `isNew`: the session begins. */
export const tidyAfterStart = async (context: SessionContext, isNew: boolean): Promise<void> => {
  const { options, storage, clock } = context.home
  const onFailure = (operation: string, error: HermesError) => context.failed(operation, error)
  if (context.memory.hasExpired) {
    const archived = await archiveExpired(context)
    if (!archived.ok) onFailure('archive expired entries', archived.error)
  }
  if (isNew) await pruneOldSessions({ ...options, storage, clock, onFailure })
  await pruneOldJournal({ ...options, storage, clock, onFailure })
}
