import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { listJournalDays, removeOldDays } from './journal-days.ts'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 2, 10, 12)

const homeWith = async (...names: readonly string[]): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  for (const name of names) await updateDocument(storage, `journal/${name}`, () => new TextEncoder().encode('{}\n'))
  return storage
}

const daysOf = async (storage: StorageBackend) => {
  const days = await listJournalDays(storage)
  return days.ok && days.value.map(({ day }) => day)
}

describe('the days of the journal', () => {
  it('are listed newest first, without other documents', async () => {
    const storage = await homeWith('2026-03-01.jsonl', '2026-02-28.jsonl', '2026-03-01.jsonl.bak', 'notes.md', 'old/2026-01-01.jsonl')
    expect(await daysOf(storage)).toEqual(['2026-03-01', '2026-02-28'])
  })

  it('are removed when they are too old, today included in those that are kept', async () => {
    const storage = await homeWith('2026-03-07.jsonl', '2026-03-08.jsonl', '2026-03-10.jsonl', 'notes.md')
    expect(await removeOldDays({ storage, clock: () => NOON, retainDays: 3 })).toEqual({ ok: true, value: 1 })
    expect(await daysOf(storage)).toEqual(['2026-03-10', '2026-03-08'])
    const rest = await storage.list('journal')
    expect(rest.ok && rest.value.map(({ path }) => path)).toContain('journal/notes.md')
  })

  it('are looked for once a day', async () => {
    const inner = await homeWith('2026-03-09.jsonl', '2026-03-10.jsonl')
    let lists = 0
    const list: StorageBackend['list'] = (prefix) => {
      lists++
      return inner.list(prefix)
    }
    const storage = { ...inner, list }
    const removed = async (at: number) => removeOldDays({ storage, clock: () => at, retainDays: 2 })
    for (const hours of [0, 6, 11]) expect(await removed(NOON + hours * 3_600_000)).toEqual({ ok: true, value: 0 })
    expect(lists).toBe(1)
    expect(await removed(NOON + DAY_MS)).toEqual({ ok: true, value: 1 })
  })

  it('stay for ever if that is asked for, and are not written to if none is too old', async () => {
    const storage = await homeWith('2020-01-01.jsonl')
    const update: StorageBackend['update'] = async () => {
      throw new Error('There is nothing to write.')
    }
    const reading = { ...storage, update }
    expect(await removeOldDays({ storage: reading, clock: () => NOON, retainDays: 'forever' })).toEqual({ ok: true, value: 0 })
    const clock = () => Date.UTC(2020, 0, 1) + 364 * DAY_MS
    expect(await removeOldDays({ storage: reading, clock, retainDays: 365 })).toEqual({ ok: true, value: 0 })
    expect(await removeOldDays({ storage, clock: () => clock() + DAY_MS, retainDays: 365 })).toEqual({ ok: true, value: 1 })
  })
})
