/**
 * Records when the agent was used, by any process: the days, so that ageing can ignore times of absence (seed 003, exercise 2), and the
 * last activity, so that a run can wait for an idle home.
 */

import * as z from 'zod/mini'
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { ACTIVITY_GRAIN_MS } from './curator-options.ts'

export const ACTIVE_DAYS_PATH = `${CURATOR_FOLDER}/active-days.json`

/** More than the longest window, which is four times a year. */
const MAX_DAYS = 1_500

const activeDaysSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    /** UTC days such as `2026-06-01`, sorted and unique. */
    days: z.array(z.iso.date()),
    /** Epoch milliseconds. */
    lastActiveAt: z.optional(z.number()),
  }),
)

export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** An activity in the future comes from a wrong clock. */
const isFresh = (lastActiveAt: number | undefined, at: number): boolean =>
  lastActiveAt !== undefined && lastActiveAt <= at && at - lastActiveAt < ACTIVITY_GRAIN_MS

/** Call it when a session does something: at most one write in ten minutes, over all processes. */
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

/** Sorted. Empty without a document, so nothing ages; `unreadable` if the document is corrupt. */
export const readActiveDays = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const document = await readJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema)
  return document.ok ? ok([...new Set(document.value?.days ?? [])].sort()) : document
}

/** Epoch milliseconds, up to ten minutes too early; `undefined` if no session has been recorded. */
export const readLastActiveAt = async (storage: StorageBackend): Promise<Result<number | undefined>> => {
  const document = await readJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema)
  return document.ok ? ok(document.value?.lastActiveAt) : document
}
