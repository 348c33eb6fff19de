import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createJournal } from './journal.ts'
import { tidyJournal } from './tidy-journal.ts'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 2, 1, 12)

const value = <T>(result: { ok: true; value: T } | { ok: false; error: HermesError }): T => {
  if (!result.ok) throw result.error
  return result.value
}

const setUp = (storage: StorageBackend = inMemoryBackend()) => {
  const time = { now: NOON }
  const problems: HermesError[] = []
  let ids = 0
  const clock = () => time.now
  const journal = createJournal({ storage, clock, createId: () => `id${++ids}`, onProblem: (problem) => problems.push(problem) })
  const write = async (...reasons: readonly string[]) => {
    for (const reason of reasons) {
      time.now += 1_000
      value(await journal.append([{ actor: 'review', verdict: 'applied', reason }]))
    }
  }
  const tidy = async (options: { retainDays?: number | 'forever'; maxDocuments?: number } = {}) =>
    value(await tidyJournal({ storage, clock, ...options }))
  const reasons = async () => value(await journal.list()).map(({ reason }) => reason)
  const paths = async () => value(await storage.list('journal')).map(({ path, size }) => (size === 0 ? `${path} (empty)` : path))
  return { storage, time, problems, journal, write, tidy, reasons, paths }
}

const line = (at: number, reason: string) => JSON.stringify({ id: reason, at, actor: 'review', verdict: 'applied', reason })
const put = async (storage: StorageBackend, path: string, text: string) =>
  value(await updateDocument(storage, path, () => new TextEncoder().encode(text)))

describe('tidyJournal', () => {
  it('makes one document of an ended day, and leaves the running one', async () => {
    const { time, write, tidy, reasons, paths } = setUp()
    await write('one', 'two', 'three')
    time.now += DAY_MS
    await write('four')
    expect(await tidy()).toEqual({ compacted: 3, expired: 0, problems: [] })
    expect(await paths()).toEqual([
      'journal/.state.json',
      'journal/2026-03-02/120004000-id4.jsonl',
      'journal/days/2026-03-01.jsonl',
      'journal/days/2026-03-02.jsonl (empty)',
      'journal/index/2026-03.json',
    ])
    expect(await reasons()).toEqual(['one', 'two', 'three', 'four'])
  })

  it('runs once a day', async () => {
    const { time, write, tidy } = setUp()
    await write('one')
    expect(await tidy()).toEqual({ compacted: 0, expired: 0, problems: [] })
    time.now += DAY_MS - 1
    expect(await tidy()).toBeUndefined()
    time.now += 1
    expect(await tidy()).toEqual({ compacted: 1, expired: 0, problems: [] })
  })

  it('runs again if the clock was once wrong, or the note about the last pass is damaged', async () => {
    const { storage, time, tidy } = setUp()
    time.now += 1_000 * DAY_MS
    await tidy()
    time.now = NOON
    expect(await tidy()).toBeDefined()
    await put(storage, 'journal/.state.json', '{half')
    expect(await tidy()).toBeDefined()
  })

  it('reads an older home as before, and finds its days without a look at all of it from the first pass on', async () => {
    const { storage, tidy, time, reasons, journal } = setUp()
    for (const [day, hour, reason] of [
      [1, '08', 'one'],
      [1, '09', 'two'],
      [5, '10', 'three'],
    ] as const) {
      const at = Date.UTC(2026, 0, day, Number(hour))
      await put(storage, `journal/2026-01-0${day}/${hour}0000000-${reason}.jsonl`, `${line(at, reason)}\n`)
    }
    expect(await reasons()).toEqual(['one', 'two', 'three'])
    await tidy({ maxDocuments: 1 })
    expect(await reasons()).toEqual(['one', 'two', 'three'])
    expect(value(await storage.list('journal/days')).map(({ path, size }) => [path, size > 0])).toEqual([
      ['journal/days/2026-01-01.jsonl', false],
      ['journal/days/2026-01-05.jsonl', true],
    ])
    time.now += DAY_MS
    await tidy()
    expect(value(await storage.list('journal/2026-01-01'))).toEqual([])
    expect(value(await journal.list({ limit: 2 })).map(({ reason }) => reason)).toEqual(['two', 'three'])
  })

  it('removes days that are too old, and keeps all of them if it is told to', async () => {
    const { time, write, tidy, reasons, paths } = setUp()
    await write('old')
    time.now += 9 * DAY_MS
    await write('new')
    expect(await tidy({ retainDays: 'forever' })).toMatchObject({ expired: 0 })
    time.now += DAY_MS
    expect(await tidy({ retainDays: 3 })).toMatchObject({ expired: 1 })
    expect(await reasons()).toEqual(['new'])
    expect((await paths()).filter((path) => path.includes('03-01'))).toEqual([])
  })

  it('adds what came late to a compacted day in its place', async () => {
    const { storage, time, write, tidy, reasons } = setUp()
    await write('one', 'three')
    time.now += DAY_MS
    await tidy()
    await put(storage, 'journal/2026-03-01/120001500-late.jsonl', `${line(NOON + 1_500, 'two')}\n`)
    expect(await reasons()).toEqual(['one', 'two', 'three'])
    time.now += DAY_MS
    await tidy()
    expect(value(await storage.list('journal/2026-03-01'))).toEqual([])
    expect(await reasons()).toEqual(['one', 'two', 'three'])
  })

  it('keeps broken lines, and bytes that are not text where they are', async () => {
    const { storage, time, write, tidy, reasons, problems } = setUp()
    await write('one')
    await put(storage, 'journal/2026-03-01/130000000-x.jsonl', `{broken\n${line(NOON + 3_600_000, 'two')}\n`)
    value(await updateDocument(storage, 'journal/2026-03-01/140000000-y.jsonl', () => new Uint8Array([0xff, 0xfe, 0x0a])))
    time.now += DAY_MS
    expect(await tidy()).toMatchObject({ compacted: 2, problems: [{ code: 'unreadable' }] })
    expect(await reasons()).toEqual(['one', 'two'])
    expect(problems.map(({ details }) => details['path']).sort()).toEqual([
      'journal/2026-03-01/140000000-y.jsonl',
      'journal/days/2026-03-01.jsonl',
    ])
    expect(value(await storage.list('journal/2026-03-01'))).toHaveLength(1)
  })

  it('loses and doubles nothing if it is stopped at any write', async () => {
    for (let writes = 1; ; writes++) {
      const inner = inMemoryBackend()
      const { time, write, reasons } = setUp(inner)
      await write('one', 'two', 'three')
      time.now += DAY_MS
      await write('four')
      let left = writes
      const failing: StorageBackend = {
        ...inner,
        update: async (paths, plan, options) => {
          left -= 1
          if (left > 0) return inner.update(paths, plan, options)
          // Every other time the write succeeds and only its result is lost.
          if (left === 0 && writes % 2 === 0) await inner.update(paths, plan, options)
          return err(new HermesError('io', 'The process was stopped.'))
        },
      }
      const stopped = await tidyJournal({ storage: failing, clock: () => time.now })
      expect(await reasons()).toEqual(['one', 'two', 'three', 'four'])
      time.now += DAY_MS
      value(await tidyJournal({ storage: inner, clock: () => time.now }))
      expect(await reasons()).toEqual(['one', 'two', 'three', 'four'])
      expect(value(await inner.list('journal/2026-03-01'))).toEqual([])
      if (stopped.ok) break
    }
  })

  it.each([1, 2, 3, 4, 5, 6])('reads all of a day that is compacted while it is read, before read %i', async (nth) => {
    const inner = inMemoryBackend()
    const { time, write } = setUp(inner)
    await write('one', 'two', 'three')
    time.now += DAY_MS
    let reads = 0
    const storage: StorageBackend = {
      ...inner,
      read: async (paths) => {
        reads += 1
        if (reads === nth) value(await tidyJournal({ storage: inner, clock: () => time.now }))
        return inner.read(paths)
      },
    }
    expect(await setUp(storage).reasons()).toEqual(['one', 'two', 'three'])
    expect(reads).toBeGreaterThanOrEqual(Math.min(nth, 4))
  })
})
