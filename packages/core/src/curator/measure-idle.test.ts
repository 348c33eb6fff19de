import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { recordActivity } from './active-days.ts'
import { ACTIVITY_GRAIN_MS } from './curator-options.ts'
import { measureIdle } from './schedule.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const HOUR = 3_600_000

const measure = async (signs: { readonly lastStepAt?: number; readonly recordedAt?: number; readonly usedAt?: number }) => {
  const storage = inMemoryBackend()
  const { lastStepAt, recordedAt, usedAt } = signs
  if (recordedAt !== undefined) await recordActivity(storage, () => recordedAt)
  if (usedAt !== undefined) await new UsageStore({ storage, clock: () => usedAt }).record('deploy', 'use')
  const idle = await measureIdle({ storage, usage: new UsageStore({ storage }), activity: { lastStepAt } }, NOW)
  return idle.ok ? idle.value : idle.error.code
}

it('takes the newest sign of life there is', async () => {
  expect(await measure({})).toBeUndefined()
  expect(await measure({ lastStepAt: NOW - 3 * HOUR })).toBe(3 * HOUR)
  expect(await measure({ usedAt: NOW - 3 * HOUR })).toBe(3 * HOUR)
  expect(await measure({ lastStepAt: NOW - 3 * HOUR, recordedAt: NOW - 5 * HOUR, usedAt: NOW - 4 * HOUR })).toBe(3 * HOUR)
  expect(await measure({ lastStepAt: NOW - 9 * HOUR, recordedAt: NOW - 5 * HOUR, usedAt: NOW - 6 * HOUR })).toBe(
    5 * HOUR - ACTIVITY_GRAIN_MS,
  )
})

it('is never negative, and ignores times in the future', async () => {
  expect(await measure({ recordedAt: NOW - 1 })).toBe(0)
  expect(await measure({ recordedAt: NOW + HOUR, usedAt: NOW - 3 * HOUR, lastStepAt: NOW + 1 })).toBe(3 * HOUR)
  expect(await measure({ recordedAt: NOW + HOUR })).toBeUndefined()
})
