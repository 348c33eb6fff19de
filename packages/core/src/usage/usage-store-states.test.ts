import { manualClock } from '@hermes/testing'
import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import { CORRUPT_USAGE_FOLDER, USAGE_PATH } from './usage-sidecar.ts'
import { UsageStore } from './usage-store.ts'

const NOON = Date.UTC(2026, 0, 5, 12)

const open = () => {
  const storage = inMemoryBackend()
  const clock = manualClock(NOON)
  return { storage, clock, usage: new UsageStore({ storage, clock }) }
}

const versionOf = async (storage: ReturnType<typeof inMemoryBackend>) => {
  const listed = await storage.list('')
  return listed.ok ? listed.value.find(({ path }) => path === USAGE_PATH)?.stamp : undefined
}

it('changes many states in one write and keeps everything else', async () => {
  const { storage, clock, usage } = open()
  for (const name of ['a', 'b', 'c']) await usage.record(name, 'use')
  clock.advance(1000)
  const writes: unknown[] = []
  const counted = new UsageStore({
    storage: { ...storage, update: (paths, plan, options) => storage.update(paths, plan, options).finally(() => writes.push(paths)) },
    clock,
  })
  const result = await counted.setStates(
    new Map([
      ['a', 'archived'],
      ['b', 'stale'],
    ]),
  )
  expect(result.ok && [...result.value.changed.keys()]).toEqual(['a', 'b'])
  expect(writes).toHaveLength(1)
  expect(await usage.get('a')).toMatchObject({ state: 'archived', archivedAt: NOON + 1000, useCount: 1 })
  expect(await usage.get('b')).toMatchObject({ state: 'stale', archivedAt: 0 })
  expect(await usage.get('c')).toMatchObject({ state: 'active' })
})

it('asks the guard about the record as it is now, and leaves what it refuses', async () => {
  const { usage } = open()
  for (const name of ['used', 'idle']) await usage.record(name, 'create', { createdBy: 'agent' })
  await usage.record('used', 'use')
  const result = await usage.setStates(
    new Map([
      ['used', 'stale'],
      ['idle', 'stale'],
    ]),
    (_name, { useCount }) => useCount === 0,
  )
  if (!result.ok) throw result.error
  expect([...result.value.changed.keys()]).toEqual(['idle'])
  expect(result.value.left.get('used')).toMatchObject({ useCount: 1, state: 'active' })
  expect(await usage.get('used')).toMatchObject({ state: 'active' })
})

it('makes up no record, and writes nothing if nothing changes', async () => {
  const { storage, usage } = open()
  await usage.record('a', 'use')
  const before = await versionOf(storage)
  const result = await usage.setStates(new Map([['gone', 'archived']]))
  expect(result.ok && result.value.left.has('gone')).toBe(true)
  expect(await usage.get('gone')).toBeUndefined()
  expect(await versionOf(storage)).toBe(before)
})

it('refuses an unknown state, and a sidecar that is not settled', async () => {
  const { storage, usage } = open()
  // @ts-expect-error: as a caller without types would
  expect(await usage.setStates(new Map([['a', 'gone']]))).toMatchObject({ ok: false, error: { code: 'invalid' } })
  await updateDocument(storage, USAGE_PATH, () => new TextEncoder().encode('{oops'))
  expect(await usage.setStates(new Map([['a', 'stale']]))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  await updateDocument(storage, USAGE_PATH, () => undefined)
  await updateDocument(storage, `${CORRUPT_USAGE_FOLDER}/x.json`, () => new TextEncoder().encode('{'))
  expect(await usage.setStates(new Map([['a', 'stale']]))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await usage.restore('a')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
})

it('counts each return from the archive as a mistake and restarts the clock', async () => {
  const { clock, usage } = open()
  await usage.record('a', 'use')
  await usage.setState('a', 'archived')
  clock.advance(5000)
  expect(await usage.restore('a')).toMatchObject({
    ok: true,
    value: { state: 'active', archivedAt: 0, restoredAt: NOON + 5000, misjudgements: 1, lastActivityAt: NOON },
  })
  await usage.setState('a', 'archived')
  await usage.restore('a')
  expect(await usage.get('a')).toMatchObject({ misjudgements: 2 })
})

it('brings many back from the archive in one write, each as a return', async () => {
  const { clock, usage } = open()
  for (const name of ['a', 'b']) await usage.setState(name, 'archived')
  clock.advance(5000)
  const result = await usage.setStates(
    new Map([
      ['a', 'restored'],
      ['b', 'active'],
    ]),
  )
  expect(result.ok && result.value.changed.size).toBe(2)
  expect(await usage.get('a')).toMatchObject({ state: 'active', archivedAt: 0, restoredAt: NOON + 5000, misjudgements: 1 })
  expect(await usage.get('b')).toMatchObject({ state: 'active', archivedAt: 0, restoredAt: 0, misjudgements: 0 })
})
