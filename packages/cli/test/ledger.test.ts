import type { LearningCost } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createJournal, type JournalRecordInput } from '@hermes/core/journal'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 23, 12)

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

const ledgerHome = async (): Promise<string> => {
  const home = temporaryHome()
  const storage = fileSystemBackend(home)
  let at = NOW
  let id = 0
  const journal = createJournal({ storage, clock: () => at, createId: () => `rec${++id}-0000-0000` })
  for (const [days, record] of RECORDS) {
    at = NOW - days * DAY
    await journal.append([record])
  }
  await storage.close()
  return home
}

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
