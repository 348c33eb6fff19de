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

it('refuses an unknown state, and a sidecar that is not settled', async () => {
  const { storage, usage } = open()
  // @ts-expect-error: as a caller without types would
  expect(await usage.setState('a', 'gone')).toMatchObject({ ok: false, error: { code: 'invalid' } })
  await updateDocument(storage, USAGE_PATH, () => new TextEncoder().encode('{oops'))
  expect(await usage.setState('a', 'stale')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  await updateDocument(storage, USAGE_PATH, () => undefined)
  await updateDocument(storage, `${CORRUPT_USAGE_FOLDER}/x.json`, () => new TextEncoder().encode('{'))
  expect(await usage.setState('a', 'stale')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
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
