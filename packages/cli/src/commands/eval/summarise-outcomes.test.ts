import { describe, expect, it } from 'vitest'
import { type ScenarioOutcome, shareOf, summarise, wilsonInterval } from './outcomes.ts'

describe('the interval of a share', () => {
  it.each([
    [{ hits: 0, total: 10 }, 0, 0.278],
    [{ hits: 10, total: 10 }, 0.722, 1],
    [{ hits: 5, total: 10 }, 0.237, 0.763],
    [{ hits: 95, total: 100 }, 0.888, 0.978],
  ])('of %j is %d to %d', (share, low, high) => {
    const interval = wilsonInterval(share)
    expect(interval?.low).toBeCloseTo(low, 3)
    expect(interval?.high).toBeCloseTo(high, 3)
  })

  it('does not exist if nothing was counted', () => {
    expect(wilsonInterval({ hits: 0, total: 0 })).toBeUndefined()
    expect(shareOf({ hits: 0, total: 0 })).toBeUndefined()
  })
})

const outcome = (kind: ScenarioOutcome['kind'], hits: number): ScenarioOutcome => ({
  id: `${kind}-${hits}`,
  kind,
  known: { hits, total: 4 },
  stale: { hits: 0, total: 1 },
  lost: { hits: 4 - hits, total: 4 },
  answered: { hits: 1, total: 1 },
  held: 1,
  reviews: 2,
  calls: 3,
  hostTokens: 100,
  learningTokens: 10,
  largestRequest: 5,
  failures: ['No.'],
  notes: [],
})

describe('a summary', () => {
  it('adds up each kind that was played, and all', () => {
    const rows = summarise([outcome('short', 4), outcome('fact', 3), outcome('short', 2)])
    expect(rows.map(({ name, played, known }) => [name, played, known.hits, known.total])).toEqual([
      ['fact', 1, 3, 4],
      ['short', 2, 6, 8],
      ['all', 3, 9, 12],
    ])
    expect(rows.at(-1)).toMatchObject({
      held: 3,
      reviews: 6,
      calls: 9,
      failures: 3,
      hostTokens: 300,
      learningTokens: 30,
      lost: { hits: 3 },
    })
  })
})
