import { describe, expect, it } from 'vitest'
import type { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createJournal } from './journal.ts'
import { tidyJournal } from './tidy-journal.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 25, 12)
const DAYS = 10

const value = <T>(result: { ok: true; value: T } | { ok: false; error: HermesError }): T => {
  if (!result.ok) throw result.error
  return result.value
}

/** Ten ended days over two months; the third and the eighth mention pnpm. */
const setUp = async () => {
  const inner = inMemoryBackend()
  const read: string[] = []
  const storage: StorageBackend = {
    ...inner,
    read: (paths) => {
      read.push(...paths)
      return inner.read(paths)
    },
  }
  const time = { now: START }
  let ids = 0
  const clock = () => time.now
  const journal = createJournal({ storage, clock, createId: () => `id${++ids}` })
  const write = async (content: string) =>
    value(await journal.append([{ actor: 'review', verdict: 'applied', reason: '', target: 'memory', op: { action: 'add', content } }]))
  for (let day = 0; day < DAYS; day++) {
    await write(day === 2 || day === 7 ? `Builds with PNPM since day ${day}` : `Likes tea on day ${day}`)
    time.now += DAY_MS
  }
  const tidy = async (retainDays: number | 'forever' = 'forever') => {
    time.now += DAY_MS
    return value(await tidyJournal({ storage, clock, retainDays }))
  }
  const search = async (text: string) => {
    read.length = 0
    const found = value(await journal.list({ text })).map(({ op }) => (op && 'content' in op ? op.content : ''))
    return { found, days: read.filter((path) => path.startsWith('journal/days/')).length }
  }
  return { storage: inner, write, tidy, search, time }
}

const BOTH = ['Builds with PNPM since day 2', 'Builds with PNPM since day 7']

const overwrite = async (storage: StorageBackend, path: string, text: string) =>
  value(await updateDocument(storage, path, () => new TextEncoder().encode(text)))

describe('a search of the journal', () => {
  it('reads the days that may hold the text, and no others', async () => {
    const { tidy, search } = await setUp()
    expect(await search('pnpm')).toEqual({ found: BOTH, days: DAYS })
    await tidy()
    expect(await search('pnpm')).toEqual({ found: BOTH, days: 2 })
    expect(await search('yarn')).toEqual({ found: [], days: 0 })
    expect((await search('pn')).found).toEqual(BOTH)
  })

  it('finds what was written since the index was made', async () => {
    const { tidy, search, write, time } = await setUp()
    await tidy()
    await write('yarn is gone')
    expect((await search('yarn')).found).toEqual(['yarn is gone'])
    time.now += DAY_MS
    await tidy()
    expect(await search('yarn')).toEqual({ found: ['yarn is gone'], days: 1 })
  })

  it('finds everything without an index, with a damaged one and with one of another journal, and has it again after the next pass', async () => {
    const { storage, tidy, search } = await setUp()
    await tidy()
    const [first] = value(await storage.list('journal/index'))
    for (const text of ['{half', '{"version":1,"days":{"2026-01-27":{"stamp":"other","filter":"AA=="}}}', '{"version":2}']) {
      await overwrite(storage, first?.path ?? '', text)
      expect((await search('pnpm')).found).toEqual(BOTH)
      await tidy()
      expect(await search('pnpm')).toEqual({ found: BOTH, days: 2 })
    }
    for (const { path } of value(await storage.list('journal/index'))) value(await updateDocument(storage, path, () => undefined))
    expect(await search('pnpm')).toEqual({ found: BOTH, days: DAYS })
    await tidy()
    expect(await search('pnpm')).toEqual({ found: BOTH, days: 2 })
  })

  it('does not believe an entry about a day that was later edited by hand', async () => {
    const { storage, tidy, search } = await setUp()
    await tidy()
    const record = { id: 'x', at: START, actor: 'review', verdict: 'applied', reason: '', op: { action: 'add', content: 'yarn by hand' } }
    await overwrite(storage, 'journal/days/2026-01-25.jsonl', `${JSON.stringify(record)}\n`)
    expect((await search('yarn')).found).toEqual(['yarn by hand'])
  })

  it('keeps no entry of a day that is gone', async () => {
    const { storage, tidy, search } = await setUp()
    await tidy()
    expect(value(await storage.list('journal/index')).map(({ path }) => path)).toEqual([
      'journal/index/2026-01.json',
      'journal/index/2026-02.json',
    ])
    await tidy(4)
    expect(value(await storage.list('journal/index')).map(({ path }) => path)).toEqual(['journal/index/2026-02.json'])
    expect((await search('tea')).found).toEqual(['Likes tea on day 9'])
  })
})
