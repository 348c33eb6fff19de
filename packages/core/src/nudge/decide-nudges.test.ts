import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL, decideNudges, hydrateCount } from './nudge-intervals.ts'

const intervals = { memoryInterval: 10, skillInterval: 10 }

describe('decideNudges', () => {
  it('uses the intervals of Hermes by default', () => {
    expect([DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL]).toEqual([10, 10])
  })

  it('stays silent before the interval, fires at it and after it', () => {
    expect(decideNudges({ turnsSinceReview: 9, iterationsSinceReview: 0 }, intervals)).toEqual({ memory: false, skill: false })
    expect(decideNudges({ turnsSinceReview: 10, iterationsSinceReview: 0 }, intervals)).toEqual({ memory: true, skill: false })
    expect(decideNudges({ turnsSinceReview: 37, iterationsSinceReview: 0 }, intervals)).toEqual({ memory: true, skill: false })
  })

  it('counts user turns for memory and tool iterations for skills, one apart from the other', () => {
    expect(decideNudges({ turnsSinceReview: 0, iterationsSinceReview: 10 }, intervals)).toEqual({ memory: false, skill: true })
    expect(decideNudges({ turnsSinceReview: 10, iterationsSinceReview: 10 }, intervals)).toEqual({ memory: true, skill: true })
  })

  it('never fires if the interval is 0', () => {
    const off = { memoryInterval: 0, skillInterval: 0 }
    expect(decideNudges({ turnsSinceReview: 1_000, iterationsSinceReview: 1_000 }, off)).toEqual({ memory: false, skill: false })
  })
})

describe('hydrateCount', () => {
  it('takes up the count where the history left it', () => {
    expect(hydrateCount(0, 10)).toBe(0)
    expect(hydrateCount(7, 10)).toBe(7)
    expect(hydrateCount(10, 10)).toBe(0)
    expect(hydrateCount(23, 10)).toBe(3)
    expect(hydrateCount(23, 0)).toBe(0)
  })

  it('never hydrates into a nudge that is already due', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(50), (turns, interval) => {
        const turnsSinceReview = hydrateCount(turns, interval)
        expect(decideNudges({ turnsSinceReview, iterationsSinceReview: 0 }, { memoryInterval: interval, skillInterval: 0 }).memory).toBe(
          false,
        )
      }),
      { seed: 7 },
    )
  })
})
