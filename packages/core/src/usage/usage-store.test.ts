import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { applyRestore, applyState, applyUsageEvent, type UsageRecord } from './usage-record.ts'
import { CORRUPT_USAGE_FOLDER, USAGE_PATH } from './usage-sidecar.ts'
import { UsageStore } from './usage-store.ts'
import { addUse, checkUses, readUsesByDay, USE_DAYS } from './uses-by-day.ts'

const NOON = Date.UTC(2026, 0, 5, 12)

const open = (storage: StorageBackend = inMemoryBackend()) => {
  const clock = manualClock(NOON)
  const problems: HermesError[] = []
  return { storage, clock, problems, usage: new UsageStore({ storage, clock, onProblem: (problem) => problems.push(problem) }) }
}

const write = async (storage: StorageBackend, text: string | Uint8Array, path = USAGE_PATH): Promise<void> => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  expect((await updateDocument(storage, path, () => bytes)).ok).toBe(true)
}

const textAt = async (storage: StorageBackend, path = USAGE_PATH): Promise<string | undefined> => {
  const document = await readDocument(storage, path)
  return document.ok && document.value ? new TextDecoder().decode(document.value.bytes) : undefined
}

const asideIn = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list(CORRUPT_USAGE_FOLDER)
  return listed.ok ? listed.value.map(({ path }) => path) : []
}

const unwrap = <T>(result: { ok: true; value: T } | { ok: false; error: Error }): T => {
  if (!result.ok) throw result.error
  return result.value
}

describe('counting', () => {
  it('counts use, view and patch apart and stamps the time of each', async () => {
    const { usage, clock } = open()
    await usage.record('pdf', 'create', { createdBy: 'agent' })
    expect(await usage.get('pdf')).toMatchObject({ createdBy: 'agent', createdAt: NOON, lastActivityAt: 0, state: 'active', pinned: false })
    for (const event of ['view', 'use', 'patch', 'use'] as const) {
      clock.advance(1000)
      await usage.record('pdf', event)
    }
    expect(await usage.get('pdf')).toMatchObject({
      useCount: 2,
      viewCount: 1,
      patchCount: 1,
      lastViewedAt: NOON + 1000,
      lastPatchedAt: NOON + 3000,
      lastUsedAt: NOON + 4000,
      lastActivityAt: NOON + 4000,
      createdAt: NOON,
      createdBy: 'agent',
    })
  })

  it('tells whether a patched skill was used again', async () => {
    const { usage } = open()
    await usage.record('pdf', 'patch')
    expect(await usage.get('pdf')).toMatchObject({ patchGeneration: 1, lastReusedPatchGeneration: 0 })
    await usage.record('pdf', 'use')
    expect(await usage.get('pdf')).toMatchObject({ lastReusedPatchGeneration: 0 })
    await usage.record('pdf', 'use')
    expect(await usage.get('pdf')).toMatchObject({ lastReusedPatchGeneration: 1 })
  })

  it('starts a new record when a new skill takes the name', async () => {
    const { usage, storage, clock } = open()
    await write(storage, '{"pdf": {"use_count": 9, "state": "archived", "archived_at": "2025-01-01T00:00:00+00:00", "sync": {}}}')
    clock.advance(5)
    expect(await usage.record('pdf', 'create')).toMatchObject({
      ok: true,
      value: { useCount: 0, state: 'active', archivedAt: 0, createdAt: NOON + 5 },
    })
    expect(await textAt(storage)).not.toContain('sync')
  })

  it('writes byte for byte what Python Hermes would, and leaves other records alone', async () => {
    const { usage, storage } = open()
    await write(storage, '{"zeta": {"confidence": 1.0, "state": "active"}, "junk": null, "älter": {"use_count": "2"}}')
    await usage.record('10', 'view')
    expect(await textAt(storage)).toBe(`{
  "10": {
    "archived_at": null,
    "created_at": "2026-01-05T12:00:00+00:00",
    "created_by": null,
    "last_patched_at": null,
    "last_reused_patch_generation": 0,
    "last_used_at": null,
    "last_viewed_at": "2026-01-05T12:00:00+00:00",
    "patch_count": 0,
    "patch_generation": 0,
    "pinned": false,
    "state": "active",
    "use_count": 0,
    "view_count": 1
  },
  "junk": null,
  "zeta": {
    "confidence": 1.0,
    "state": "active"
  },
  "älter": {
    "use_count": "2"
  }
}`)
  })

  it('refuses names that no skill can have, and events that are none', async () => {
    const { usage, storage } = open()
    for (const name of ['', '  ', 'cat/pdf', 'a\\b', 'a\nb', 'x'.repeat(256), undefined as unknown as string]) {
      expect(await usage.record(name, 'use'), name).toMatchObject({ ok: false, error: { code: 'invalid' } })
      expect(await usage.pin(name)).toMatchObject({ ok: false, error: { code: 'invalid' } })
    }
    expect(await usage.record('pdf', 'delete' as 'use')).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining('patch') },
    })
    expect(await textAt(storage)).toBeUndefined()
  })
})

describe('lifecycle', () => {
  it('pins, unpins and moves between states without touching a counter', async () => {
    const { usage, clock } = open()
    await usage.record('pdf', 'use')
    expect(await usage.pin('pdf')).toMatchObject({ value: { pinned: true, useCount: 1 } })
    expect(await usage.unpin('pdf')).toMatchObject({ value: { pinned: false } })
    clock.advance(7)
    expect(await usage.setState('pdf', 'archived')).toMatchObject({
      value: { state: 'archived', archivedAt: NOON + 7, lastActivityAt: NOON },
    })
    expect(await usage.setState('pdf', 'stale')).toMatchObject({ value: { state: 'stale', archivedAt: NOON + 7 } })
    expect(await usage.setState('pdf', 'active')).toMatchObject({ value: { state: 'active', archivedAt: 0, useCount: 1 } })
    expect(await usage.setState('pdf', 'gone' as 'stale')).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })

  it('puts back a whole record and keeps fields it does not know', async () => {
    const { usage, storage } = open()
    await write(storage, '{"pdf": {"created_by": "agent", "sync": {"on": true}}}')
    const record = unwrap(await usage.load()).get('pdf') as UsageRecord
    expect(await usage.put('pdf', { ...record, state: 'stale' })).toMatchObject({ ok: true, value: { state: 'stale', createdBy: 'agent' } })
    expect(JSON.parse((await textAt(storage)) ?? '')).toMatchObject({ pdf: { sync: { on: true }, state: 'stale' } })
  })
})

describe('a corrupt sidecar', () => {
  const NO_UTF8 = new Uint8Array([0x7b, 0xff, 0x7d])
  const CORRUPT = ['{"pdf": {"pinned": true', '[]', '"x"', '', NO_UTF8] as const

  it('reads as empty for telemetry and refuses every decision, untouched', async () => {
    for (const bytes of CORRUPT) {
      const { usage, storage, problems } = open()
      await write(storage, bytes)
      expect(await usage.get('pdf')).toBeUndefined()
      expect(problems).toMatchObject([{ code: 'unreadable' }])
      const refused = [usage.load(), usage.pin('pdf'), usage.unpin('pdf'), usage.setState('pdf', 'stale'), usage.remove('pdf')]
      for (const result of await Promise.all(refused)) expect(result).toMatchObject({ ok: false, error: { code: 'unreadable' } })
      expect(await readDocument(storage, USAGE_PATH)).toMatchObject({
        value: { bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes },
      })
      expect(await asideIn(storage)).toEqual([])
    }
  })

  it('is kept aside before counting continues, and decisions refuse until somebody settled it', async () => {
    const { usage, storage, problems } = open()
    const broken = '{"pdf": {"pinned": true, "created_by": "agent"'
    await write(storage, broken)
    expect(await usage.record('pdf', 'use')).toMatchObject({ ok: true, value: { useCount: 1, pinned: false } })
    const [aside = ''] = await asideIn(storage)
    expect(await textAt(storage, aside)).toBe(broken)
    expect(problems).toMatchObject([{ code: 'unreadable', details: { keptAside: [aside] } }])
    expect(await usage.record('pdf', 'use')).toMatchObject({ ok: true, value: { useCount: 2 } })
    expect(await usage.load()).toMatchObject({ ok: false, error: { message: expect.stringContaining(aside) } })
    expect(await usage.setState('pdf', 'archived')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    await updateDocument(storage, aside, () => undefined)
    expect(await usage.setState('pdf', 'archived')).toMatchObject({ ok: true, value: { useCount: 2 } })
  })
})

describe('failures', () => {
  it('read as empty, with a warning to the host, and fail with an error when something is to be written', async () => {
    const { usage, storage, problems } = open()
    await storage.close()
    expect((await usage.all()).size).toBe(0)
    expect(problems).toMatchObject([{ code: 'closed' }])
    for (const result of await Promise.all([usage.load(), usage.record('pdf', 'use'), usage.pin('pdf')])) {
      expect(result).toMatchObject({ ok: false, error: { code: 'closed' } })
    }
  })
})

describe('usage store states', () => {
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
  })

  it('counts each return from the archive as a mistake and restarts the clock', () => {
    const archived = applyState(applyUsageEvent(undefined, 'use', NOON), 'archived', NOON)
    const restored = applyRestore(archived, NOON + 5000)
    expect(restored).toMatchObject({ state: 'active', archivedAt: 0, restoredAt: NOON + 5000, misjudgements: 1, lastActivityAt: NOON })
    expect(applyRestore(applyState(restored, 'archived', NOON + 6000), NOON + 7000)).toMatchObject({ misjudgements: 2 })
  })
})

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 20, 9)

describe('uses by day', () => {
  it('is a short text, the newest day first', () => {
    const text = [NOW, NOW + DAY, NOW + DAY, NOW + 3 * DAY].reduce<string | undefined>(addUse, undefined)
    expect(text).toBe('2026-05-23 1,0,2,1')
    expect(readUsesByDay(text, NOW + 4 * DAY).slice(-6)).toEqual([0, 1, 2, 0, 1, 0])
  })

  it('counts what was used on each of the last 60 days, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 100 }), (days) => {
        const text = days.reduce<string | undefined>((uses, day) => addUse(uses, NOW + day * DAY), undefined)
        const newest = Math.max(0, ...days)
        const expected = Array.from({ length: USE_DAYS }, (_, index) => {
          const day = newest - USE_DAYS + 1 + index
          // A use that came when it was already too old was never counted.
          return days.filter((each, at) => each === day && Math.max(...days.slice(0, at + 1)) - each < USE_DAYS).length
        })
        expect(readUsesByDay(text, NOW + newest * DAY)).toEqual(expected)
        expect(text?.length ?? 0).toBeLessThan(11 + USE_DAYS * 4)
      }),
      { seed: 7 },
    )
  })

  it.each([undefined, null, 7, '', '2026-13-40 1', '2026-05-20', '2026-05-20 -1', `2026-05-20 ${'1,'.repeat(60)}1`])(
    'starts anew instead of %j',
    (stored) => {
      expect(checkUses(stored)).toBeUndefined()
      expect(addUse(checkUses(stored), NOW)).toBe('2026-05-20 1')
      expect(readUsesByDay(checkUses(stored), NOW)).toEqual(Array.from({ length: USE_DAYS }, () => 0))
    },
  )

  it.each([1e300, -1e300, Number.NaN, 8.64e15])('counts nothing at the impossible time %d', (at) => {
    expect(addUse('2026-05-20 1', at)).toBe('2026-05-20 1')
    expect(addUse(undefined, at)).toBeUndefined()
  })
})
