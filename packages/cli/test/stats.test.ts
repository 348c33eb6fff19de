import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal, type JournalRecordInput } from '@hermes/core/journal'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const DAY = 86_400_000

const COST = { calls: 1, inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 50, estimated: false, durationMs: 10 }

const home = async (): Promise<string> => {
  const folder = temporaryHome()
  writeHome(folder, {
    'skills/deploy/SKILL.md': skillText('deploy'),
    'skills/.usage.json': JSON.stringify({
      deploy: { use_count: 9, success_count: 4, correction_count: 1, uses_by_day: '2026-05-22 2,0,1' },
    }),
  })
  const storage = fileSystemBackend(folder)
  let at = NOW
  let id = 0
  const journal = createJournal({ storage, clock: () => at, createId: () => `r${++id}` })
  const write = async (daysAgo: number, record: JournalRecordInput) => {
    at = NOW - daysAgo * DAY
    await journal.append([record])
  }
  const applied = { actor: 'review', kind: 'applied', reason: '', target: 'memory' } as const
  const known = { origin: 'user', firstSeenAt: 5, lastConfirmedAt: 9 } as const
  await write(40, { ...applied, op: { action: 'add', content: 'long ago' } })
  await write(9, { ...applied, op: { action: 'add', content: 'a' } })
  await write(8, { ...applied, op: { action: 'add', content: 'b' }, evicted: [{ text: 'long ago', origin: 'user' }] })
  await write(2, { ...applied, op: { action: 'replace', oldText: 'a', content: 'a2' } })
  await write(2, { ...applied, op: { action: 'add', content: 'a2' }, facts: { content: known } })
  await write(1, { ...applied, op: { action: 'remove', oldText: 'b' } })
  await write(1, { actor: 'review', kind: 'rejected', reason: 'no', target: 'memory', op: { action: 'add', content: 'c' } })
  await write(1, { actor: 'review', kind: 'held', reason: 'wait', target: 'user', op: { action: 'add', content: 'd' } })
  await write(0, { actor: 'review', kind: 'review-finished', reason: '', cost: COST })
  await write(0, { actor: 'review', kind: 'review-failed', reason: '', cost: COST })
  await storage.close()
  writeHome(folder, { 'memories/MEMORY.md': 'a2' })
  return folder
}

interface Told {
  readonly spans: readonly Readonly<Record<string, number>>[]
}

const stats = async (folder: string, ...args: readonly string[]) => {
  const { code, told } = await runJson(['stats', '--home', folder, ...args], { now: NOW })
  expect(code).toBe(0)
  return told.value as Told & Readonly<Record<string, unknown>>
}

const course = ({ spans }: Told, key: string) => spans.map((span) => span[key])

describe('hermes stats', () => {
  it('counts day by day, back from what is there now', async () => {
    const told = await stats(await home(), '--days', '10')
    expect(told).toMatchObject({ days: 10, spanDays: 1, entries: 1, skills: { count: 1, uses: 9, successes: 4, corrections: 1 } })
    expect(course(told, 'entries')).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 1, 1])
    expect(course(told, 'learned')).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(course(told, 'changed')).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0])
    expect(course(told, 'rejected').at(-2)).toBe(1)
    expect(course(told, 'held').at(-2)).toBe(1)
    expect(course(told, 'skillUses')).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 2, 0])
    expect(told.spans.at(-1)).toMatchObject({ reviews: 2, failedReviews: 1, inputTokens: 2_000, outputTokens: 100 })
    expect(told['prompt']).toMatchObject({ chars: expect.any(Number), tokens: expect.any(Number) })
  })

  it('counts week by week, and covers every day once', async () => {
    const told = await stats(await home(), '--days', '84')
    expect(told.spans).toHaveLength(12)
    expect(told.spans.map(({ from = 0 }, index) => from - (told.spans[0]?.['from'] ?? 0) - index * 7 * DAY)).toEqual(Array(12).fill(0))
    expect(course(told, 'learned').reduce((sum = 0, one = 0) => sum + one, 0)).toBe(3)
  })

  it('counts what the command has just written', async () => {
    const folder = temporaryHome()
    await runHermes(['memory', 'add', 'one', '--home', folder])
    await runHermes(['memory', 'add', 'one', '--home', folder])
    const { told } = await runJson(['stats', '--days', '1', '--home', folder])
    expect(told.value).toMatchObject({ spans: [{ entries: 1, learned: 1 }] })
  })

  it('works in an empty home', async () => {
    const { code, stdout } = await runHermes(['stats', '--home', temporaryHome()], { now: NOW })
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 entries')])
  })

  it.each([120, 80, 50])('fits on %i columns', async (columns) => {
    const folder = await home()
    for (const days of ['31', '365']) {
      const { stdout } = await runHermes(['stats', '--days', days, '--home', folder], { now: NOW, columns })
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
      expect(stdout).toContain('█')
    }
  })

  it('refuses a span that is no number of days', async () => {
    expect(await runHermes(['stats', '--days', '0', '--home', temporaryHome()])).toMatchObject({ code: 2 })
  })
})
