import { describe, expect, it } from 'vitest'
import type { JournalRecord } from './journal-record.ts'
import { sumLedger } from './journal-record.ts'

const DAY_MS = 86_400_000

const cost = (inputTokens: number, model?: string) => ({
  ...(model === undefined ? {} : { model }),
  calls: 1,
  inputTokens,
  cachedInputTokens: inputTokens / 2,
  outputTokens: 10,
  estimated: model === undefined,
  durationMs: 100,
})

const records: readonly JournalRecord[] = [
  { id: '1', at: 0, actor: 'review', sessionId: 'a', kind: 'review-finished', reason: '', cost: cost(100, 'small') },
  { id: '2', at: 0, actor: 'review', sessionId: 'a', kind: 'applied', reason: '' },
  { id: '3', at: DAY_MS, actor: 'review', sessionId: 'b', kind: 'review-failed', reason: '', cost: cost(400) },
  { id: '4', at: DAY_MS, actor: 'curator', kind: 'curator-finished', reason: '', cost: cost(1000, 'small') },
  { id: '5', at: DAY_MS, actor: 'review', sessionId: 'a', kind: 'review-failed', reason: 'no model' },
]

describe('sumLedger', () => {
  it('sums by day, oldest first, and over all', () => {
    expect(sumLedger(records)).toEqual({
      rows: [
        {
          key: '1970-01-01',
          runs: 1,
          unfinished: 0,
          calls: 1,
          inputTokens: 100,
          cachedInputTokens: 50,
          outputTokens: 10,
          estimated: false,
          durationMs: 100,
        },
        {
          key: '1970-01-02',
          runs: 2,
          unfinished: 1,
          calls: 2,
          inputTokens: 1400,
          cachedInputTokens: 700,
          outputTokens: 20,
          estimated: true,
          durationMs: 200,
        },
      ],
      total: {
        key: undefined,
        runs: 3,
        unfinished: 1,
        calls: 3,
        inputTokens: 1500,
        cachedInputTokens: 750,
        outputTokens: 30,
        estimated: true,
        durationMs: 300,
      },
    })
  })

  it.each([
    [
      'model',
      [
        ['small', 1100],
        [undefined, 400],
      ],
    ],
    [
      'kind',
      [
        ['curator', 1000],
        ['review', 500],
      ],
    ],
    [
      'session',
      [
        [undefined, 1000],
        ['b', 400],
        ['a', 100],
      ],
    ],
  ] as const)('groups by %s, the most tokens first', (by, expected) => {
    expect(sumLedger(records, { by }).rows.map(({ key, inputTokens }) => [key, inputTokens])).toEqual(expected)
  })

  it('is nothing for nothing', () => {
    expect(sumLedger([])).toMatchObject({ rows: [], total: { runs: 0, calls: 0, inputTokens: 0 } })
  })
})
