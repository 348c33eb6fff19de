import type { LearningCost } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal, type JournalRecordInput } from '@hermes/core/journal'
import { describe, expect, it } from 'vitest'
import { homeWithJournal, runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

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

const cost = (inputTokens: number, more: Partial<LearningCost> = {}): LearningCost => ({
  calls: 1,
  inputTokens,
  cachedInputTokens: 0,
  outputTokens: 100,
  estimated: false,
  durationMs: 1_500,
  ...more,
})

const RECORDS: readonly (readonly [number, JournalRecordInput])[] = [
  [12, { actor: 'curator', kind: 'curator-finished', reason: 'Skills merged: 1.', cost: cost(9_000, { model: 'large-1' }) }],
  [
    1,
    {
      actor: 'review',
      kind: 'review-finished',
      reason: 'Applied: 1.',
      sessionId: 'a',
      cost: cost(4_000, { model: 'small-1', cachedInputTokens: 3_000 }),
    },
  ],
  [1, { actor: 'review', kind: 'applied', reason: '', target: 'user', op: { action: 'add', content: 'Lives in Oslo' } }],
  [
    0,
    {
      actor: 'review',
      kind: 'review-failed',
      reason: 'No answer.',
      sessionId: 'b',
      error: { code: 'timeout', message: 'No answer.' },
      cost: cost(2_000, { estimated: true, outputTokens: 0, calls: 2 }),
    },
  ],
]

const ledgerHome = () => homeWithJournal(RECORDS, NOW)

describe('hermes stats --by', () => {
  it('sums up day by day, with a total and a word on estimates', async () => {
    const { stdout, code } = await runHermes(['--home', await ledgerHome(), 'stats', '--by', 'day'], { now: NOW })
    expect(code).toBe(0)
    const table = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    expect(table.slice(0, 5)).toEqual([
      ['DAY', 'RUNS', 'UNFINISHED', 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'TIME'],
      ['2026-05-11', '1', '0', '1', '9,000', '0', '100', '1.5 s'],
      ['2026-05-22', '1', '0', '1', '4,000', '3,000', '100', '1.5 s'],
      ['2026-05-23', '1', '1', '2', '~2,000', '0', '~0', '1.5 s'],
      ['total', '3', '1', '4', '~15,000', '3,000', '~200', '4.5 s'],
    ])
    expect(stdout).toContain('~: partly estimated')
  })

  it('groups by model and by kind, since a day', async () => {
    const home = await ledgerHome()
    const byModel = (await runHermes(['--home', home, 'stats', '--by', 'model', '--days', '7'], { now: NOW })).stdout
    expect(byModel).toMatch(/small-1 +1 /)
    expect(byModel).toContain('(not named)')
    expect(byModel).not.toContain('large-1')
    const byKind = (await runHermes(['--home', home, 'stats', '--by', 'kind'], { now: NOW })).stdout
    expect(byKind).toMatch(/curator +1 .*\nreview +2 /)
  })

  it('keeps the sums in a narrow terminal', async () => {
    const { stdout } = await runHermes(['--home', await ledgerHome(), 'stats', '--by', 'day'], { now: NOW, columns: 40 })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
    expect(stdout).toMatch(/^total +3 +~15,000 +/m)
  })

  it('is one object with --json', async () => {
    const { told } = await runJson(['--home', await ledgerHome(), 'stats', '--by', 'session'], { now: NOW })
    expect(told).toMatchObject({
      ok: true,
      value: {
        by: 'session',
        rows: [
          { runs: 1, inputTokens: 9_000 },
          { key: 'a', inputTokens: 4_000 },
          { key: 'b', unfinished: 1 },
        ],
        total: { runs: 3, calls: 4, inputTokens: 15_000, estimated: true },
      },
    })
  })

  it('says what fills it if it is empty, and refuses groupings that there are none of', async () => {
    const home = temporaryHome()
    expect((await runHermes(['--home', home, 'stats', '--by', 'day'])).stdout).toContain('Nothing to show')
    expect((await runHermes(['--home', home, 'stats', '--by', 'colour'])).code).toBe(2)
  })
})

describe('the other verbs of the journal', () => {
  it('tell what a review cost in words', async () => {
    const home = await ledgerHome()
    const { stdout } = await runHermes(['--home', home, 'journal', 'list', '--kind', 'review-finished'], { now: NOW })
    expect(stdout).toContain('Applied: 1. 4,000 tokens in (3,000 cached), 100 out, 1 call, 1.5 s, small-1')
    const shown = (await runHermes(['--home', home, 'journal', 'show', 'rec4'], { now: NOW })).stdout
    expect(shown).toMatch(/cost +~2,000 tokens in, ~0 out, 2 calls, 1.5 s/)
  })
})
