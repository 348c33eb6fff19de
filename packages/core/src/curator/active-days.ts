/** The days on which the agent was used, for ageing that spares whoever was away (seed 003, exercise 2). */
import { z } from 'zod'
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'

export const ACTIVE_DAYS_PATH = 'skills/.active_days.json'

/** More than the longest window, which is a year four times over. */
const MAX_DAYS = 1_500

const activeDaysSchema = z.looseObject({
  /** Days of UTC such as `2026-06-01`, in order, each once. */
  days: z.array(z.iso.date()),
})

export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** To be called when a session does something: one write a day, none for the rest of it. */
export const recordActiveDay = async (storage: StorageBackend, clock: Clock): Promise<Result<void>> => {
  const today = toDay(clock())
  const recorded = await updateJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema, (current) => {
    const days = current?.days ?? []
    if (days.includes(today)) return UNCHANGED
    return { ...current, days: [...days, today].sort().slice(-MAX_DAYS) }
  })
  return recorded.ok ? ok(undefined) : recorded
}

/** In order. Without a document there were none yet, so nothing ages; `unreadable` where it is corrupt. */
export const readActiveDays = async (storage: StorageBackend): Promise<Result<readonly string[]>> => {
  const document = await readJsonDocument(storage, ACTIVE_DAYS_PATH, activeDaysSchema)
  return document.ok ? ok([...new Set(document.value?.days ?? [])].sort()) : document
}
