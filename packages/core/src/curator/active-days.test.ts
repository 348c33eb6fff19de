import { manualClock } from '@hermes/testing'
import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { ACTIVE_DAYS_PATH, readActiveDays, recordActivity } from './active-days.ts'

const DAY = 86_400_000

it('keeps each day once, in order, and writes once a day', async () => {
  const storage = inMemoryBackend()
  const clock = manualClock(Date.UTC(2026, 5, 1, 23, 59))
  const version = async () => {
    const listed = await storage.list('')
    return listed.ok ? listed.value.find(({ path }) => path === ACTIVE_DAYS_PATH)?.stamp : undefined
  }
  expect(await readActiveDays(storage)).toEqual({ ok: true, value: [] })
  await recordActivity(storage, clock)
  const first = await version()
  await Promise.all(Array.from({ length: 5 }, () => recordActivity(storage, clock)))
  expect(await version()).toBe(first)
  clock.advance(60_000)
  await recordActivity(storage, clock)
  await recordActivity(storage, () => Date.UTC(2025, 11, 31))
  expect(await readActiveDays(storage)).toEqual({ ok: true, value: ['2025-12-31', '2026-06-01', '2026-06-02'] })
})

it('stays small however long the agent is in use, and longer than the longest window', async () => {
  const storage = inMemoryBackend()
  const days = Array.from({ length: 1_600 }, (_, index) => new Date(Date.UTC(2020, 0, 1) + index * DAY).toISOString().slice(0, 10))
  await updateDocument(storage, ACTIVE_DAYS_PATH, () => new TextEncoder().encode(JSON.stringify({ days, kept: true })))
  await recordActivity(storage, () => Date.UTC(2026, 5, 1))
  const read = await readDocument(storage, ACTIVE_DAYS_PATH)
  const stored = JSON.parse(new TextDecoder().decode(read.ok ? read.value?.bytes : undefined))
  expect(stored).toMatchObject({ kept: true })
  expect(stored.days).toHaveLength(1_500)
  expect(stored.days.at(-1)).toBe('2026-06-01')
})

it('refuses a corrupt list and leaves it as it is', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, ACTIVE_DAYS_PATH, () => new TextEncoder().encode('{"days":["yesterday"]}'))
  expect(await readActiveDays(storage)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await recordActivity(storage, () => 0)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
})
