/** Removes session records that nobody has used for a while; at most one pass a day per home, whichever process it falls to. */
import { z } from 'zod'
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { readCopyName } from './unreadable-copy.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MARKER_PATH = `${SESSIONS_FOLDER}/.pruned.json`

const markerSchema = z.object({ lastPrunedAt: z.number() })

// Only the age counts here: records of a newer version are pruned like ours.
const agedSchema = z.looseObject({ updatedAt: z.number() })

/** Removes one document that is older than `cutoff`, a record or a copy of one that could not be read; true where it was. What cannot be read stays. */
const pruneOne = async (storage: StorageBackend, path: string, cutoff: number): Promise<Result<boolean>> => {
  const copy = readCopyName(path)
  if (copy) {
    if (copy.at >= cutoff) return ok(false)
    const cleared = await storage.update(path, () => undefined)
    return cleared.ok ? ok(true) : cleared
  }
  const seen = await readJsonDocument(storage, path, agedSchema)
  if (!seen.ok || seen.value === undefined || seen.value.updatedAt >= cutoff) return ok(false)
  let gone = false
  const change = await updateJsonDocument(storage, path, agedSchema, (current) => {
    // It may have been used since it was looked at.
    gone = current !== undefined && current.updatedAt < cutoff
    return gone ? undefined : UNCHANGED
  })
  return change.ok ? ok(gone) : change
}

/** Resolves to the number of documents removed. `retainDays` 0 keeps them for ever. */
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
    if (path === MARKER_PATH) continue
    const pruned = await pruneOne(storage, path, now - retainDays * DAY_MS)
    if (!pruned.ok) return pruned
    if (pruned.value) removed++
  }
  return ok(removed)
}
