/**
 * When the agent was used, as every process that uses the home records it: the days, for ageing that spares whoever was away (seed 003,
 * exercise 2), and the last sign of life, for a run that waits until nobody works.
 */
import * as z from 'zod'
import type { Clock } from '../../shared/clock.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'

export const ACTIVE_DAYS_PATH = `${CURATOR_FOLDER}/active-days.json`

/** So old the recorded sign of life may be while somebody is at work. */
export const ACTIVITY_GRAIN_MS = 600_000

/** More than the longest window, which is a year four times over. */
const MAX_DAYS = 1_500

const activeDaysSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    /** Days of UTC such as `2026-06-01`, in order, each once. */
    days: z.array(z.iso.date()),
    /** Epoch milliseconds. */
    lastActiveAt: z.number().optional(),
  }),
)

export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** A sign of life in the future is of a clock that was wrong. */
const isFresh = (lastActiveAt: number | undefined, at: number): boolean =>
  lastActiveAt !== undefined && lastActiveAt <= at && at - lastActiveAt < ACTIVITY_GRAIN_MS

/** To be called when a session does something: at most one write in ten minutes, whichever process makes it. */
export const recordActivity = async (storage: StorageBackend, clock: Clock): Promise<Result<void>> => {
  const at = clock()
  const today = toDay(at)
  const recorded = await updateJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema, (current) => {
    const days = current?.days ?? []
    if (days.includes(today) && isFresh(current?.lastActiveAt, at)) return UNCHANGED
    return { ...current, days: [...new Set([...days, today])].sort().slice(-MAX_DAYS), lastActiveAt: at }
  })
  return recorded.ok ? ok(undefined) : recorded
}

/** In order. Without a document there were none yet, so nothing ages; `unreadable` where it is corrupt. */
export const readActiveDays = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const document = await readJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema)
  return document.ok ? ok([...new Set(document.value?.days ?? [])].sort()) : document
}

/** Epoch milliseconds, up to ten minutes too early; `undefined` where no session has been recorded yet. */
export const readLastActiveAt = async (storage: StorageBackend): Promise<Result<number | undefined>> => {
  const document = await readJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema)
  return document.ok ? ok(document.value?.lastActiveAt) : document
}
