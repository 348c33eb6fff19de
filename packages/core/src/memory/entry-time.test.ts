/** When entries that hold for a time begin and cease to hold, and where those that are over go. */
import { expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { nextChange } from './entry-time.ts'
import type { EntryTime } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'

const NOW = Date.UTC(2026, 10, 28, 12)

it.each<[string, readonly EntryTime[], number | undefined]>([
  ['never for entries that always hold', [{}, {}], undefined],
  ['on its first day', [{ from: '2026-12-01' }], Date.UTC(2026, 11, 1)],
  ['on the day after its last', [{}, { until: '2026-12-04' }], Date.UTC(2026, 11, 5)],
  ['tomorrow, if today is its last', [{ until: '2026-11-28' }], Date.UTC(2026, 10, 29)],
  ['on the first of these days', [{ until: '2026-12-09' }, { from: '2026-12-02' }, { until: '2026-12-05' }], Date.UTC(2026, 11, 2)],
  ['no more for what is over or has begun', [{ until: '2026-11-26' }, { from: '2026-11-28' }], undefined],
  ['never behind the last day that can be named', [{ until: '9999-12-31' }], undefined],
])('the next change comes %s', (_, times, at) => {
  const zones: string[] = []
  const zone = () => {
    zones.push('UTC')
    return 'UTC'
  }
  expect(nextChange(times, zone, NOW)).toBe(at)
  expect(zones.length > 0).toBe(times.some((time) => Object.keys(time).length > 0))
})

const setUp = async () => {
  const storage = inMemoryBackend()
  const time = { now: NOW }
  const open = (over: StorageBackend = storage) => new MemoryStore({ storage: over, clock: () => time.now, timeZone: 'UTC' })
  const store = open()
  const source = { origin: 'user' } as const
  await store.apply('memory', { action: 'add', content: 'In Lisbon', until: '2026-12-04' }, source)
  await store.apply('memory', { action: 'add', content: 'In Porto', until: '2026-12-05' }, source)
  time.now += 7 * 86_400_000
  return { storage, store, open }
}

it.each<[EntryTime, string]>([
  [{ from: '2026-12-05' }, 'from 2026-12-05'],
  [{ until: '2026-12-05' }, 'until 2026-12-05'],
  [{ from: '2026-12-05', until: '2026-12-05' }, 'from 2026-12-05 until 2026-12-05'],
  [{ from: '2026-12-07', until: '2026-12-06' }, 'invalid'],
  [{ until: '2026-12-04' }, 'invalid'],
  [{ from: '2026-02-31' }, 'invalid'],
])('the days %j of an entry are kept and told, or refused: %s', async (days, told) => {
  const { store } = await setUp()
  const done = await store.apply('memory', { action: 'add', content: 'Sick', ...days }, { origin: 'user' })
  if (done.ok) expect(done.value.message).toContain(`It is shown ${told}.`)
  else expect(done.error.code).toBe(told)
  const facts = await store.facts('memory')
  expect(facts.ok && facts.value.find(({ entry }) => entry === 'Sick')).toEqual(done.ok ? expect.objectContaining(days) : undefined)
})

it('a replace says of the days of an entry that it has none, an add says nothing', async () => {
  const { store } = await setUp()
  const untilOf = async () => {
    const facts = await store.facts('memory')
    return facts.ok ? facts.value.find(({ entry }) => entry === 'In Porto')?.until : facts
  }
  await store.apply('memory', { action: 'add', content: 'In Porto' }, { origin: 'user' })
  expect(await untilOf()).toBe('2026-12-05')
  await store.apply('memory', { action: 'replace', oldText: 'In Porto', content: 'In Porto' }, { origin: 'user' })
  expect(await untilOf()).toBeUndefined()
})

it('an entry that is over goes to the archive with the reason', async () => {
  const { store } = await setUp()
  const dates = { origin: 'user', firstSeenAt: NOW, lastConfirmedAt: NOW, until: '2026-12-04' }
  const op = { action: 'remove', oldText: 'In Lisbon' }
  const reason = 'It held until 2026-12-04.'
  expect(await store.archiveExpired()).toEqual(ok([{ reason, target: 'memory', op, previous: ['In Lisbon'], facts: { previous: dates } }]))
  expect(await store.archived()).toMatchObject({ value: [{ text: 'In Lisbon', origin: 'user', reason }] })
  expect(await store.current('memory')).toEqual(ok(['In Porto']))
})

it('an entry that is over stays where it is if that cannot be written, or a store cannot be read', async () => {
  const { storage, store, open } = await setUp()
  const failing = { ...storage, update: async () => err(new HermesError('io', 'The disk is full.')) }
  expect(await open(failing).archiveExpired()).toMatchObject({ ok: false, error: { code: 'io' } })
  expect(await store.current('memory')).toEqual(ok(['In Lisbon', 'In Porto']))
  await updateDocument(storage, MEMORY_PATHS.user, () => Uint8Array.of(0xff))
  expect(await store.archiveExpired()).toMatchObject({ ok: false, error: { code: 'unreadable' } })
})
