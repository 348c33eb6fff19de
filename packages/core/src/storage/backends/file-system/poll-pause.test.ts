import { describe, expect, it } from 'vitest'
import { pollPause } from './poll-pause.ts'

const average = (attempt: number, waitedMs: number): number => pollPause({ attempt, waitedMs, random: 0.5 })

describe('the pause between two polls of a lock file', () => {
  it('is none for the first polls', () => {
    for (let attempt = 0; attempt < 4; attempt++) expect(average(attempt, 0)).toBe(0)
  })

  it('begins with a millisecond', () => {
    expect(pollPause({ attempt: 4, waitedMs: 0, random: 1 })).toBe(1)
  })

  it('grows to some milliseconds, spread at random', () => {
    expect(average(5, 10)).toBeLessThan(average(15, 100))
    const pauses = [0, 0.5, 1].map((random) => pollPause({ attempt: 1_000, waitedMs: 200, random }))
    expect(pauses).toEqual([1, 11, 21])
  })

  it('is shorter after a long wait than for those that came later', () => {
    for (const waitedMs of [250, 1_000, 60_000]) {
      expect(average(10_000, waitedMs)).toBeLessThan(average(20, 100))
      expect(pollPause({ attempt: 10_000, waitedMs, random: 1 })).toBeLessThanOrEqual(4)
    }
  })
})
