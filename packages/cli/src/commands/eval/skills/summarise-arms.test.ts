import { describe, expect, it } from 'vitest'
import type { FamilyOutcome, TaskOutcome } from './play-family.ts'
import { bootstrapInterval, compareArms, summariseArms, summariseFamilies } from './summarise-arms.ts'

const task = (passed: boolean, tokens: number, loaded = false): TaskOutcome => ({ passed, loaded, tokens, faults: [] })

const outcome = (family: string, none: readonly boolean[], learned: readonly boolean[], curated: readonly boolean[]): FamilyOutcome => ({
  family,
  tasks: {
    none: none.map((passed) => task(passed, 100)),
    learned: learned.map((passed) => task(passed, 300, passed)),
    curated: curated.map((passed) => task(passed, 200, true)),
  },
  training: { corrections: 1, reviews: 1, failures: [], skills: 1, held: 0, tokens: 50 },
})

describe('the interval of a mean', () => {
  it('is the same for the same values, holds the mean, and is a point for equal values', () => {
    const values = [1, 0.5, 0, 1, 0.25, 0.75, 0, 1]
    const interval = bootstrapInterval(values)
    expect(bootstrapInterval(values)).toEqual(interval)
    expect(interval?.low).toBeGreaterThan(0.2)
    expect(interval?.low).toBeLessThan(0.5625)
    expect(interval?.high).toBeGreaterThan(0.5625)
    expect(interval?.high).toBeLessThan(0.9)
    expect(bootstrapInterval([0.5, 0.5, 0.5, 0.5, 0.5])).toEqual({ low: 0.5, high: 0.5 })
  })

  it('is near that of the normal distribution for many values', () => {
    const values = Array.from({ length: 400 }, (_, index) => index % 2)
    const { low = 0, high = 0 } = bootstrapInterval(values) ?? {}
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2)
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2)
  })

  it('is not given for fewer than five values', () => {
    expect(bootstrapInterval([1, 1, 1, 0])).toBeUndefined()
  })
})

describe('the arms', () => {
  const outcomes = [
    outcome('a', [false, false], [true, true], [true, true]),
    outcome('a', [false, true], [true, false], [true, true]),
    outcome('b', [false], [false], [true]),
  ]

  it('weigh each family the same, however often and with however many tasks it was played', () => {
    expect(summariseFamilies(outcomes)).toEqual([
      { family: 'a', tasks: 4, skills: 1, none: 0.25, learned: 0.75, curated: 1 },
      { family: 'b', tasks: 1, skills: 1, none: 0, learned: 0, curated: 1 },
    ])
    expect(summariseArms(outcomes)).toEqual([
      { arm: 'none', tasks: 5, hits: 1, passed: 0.125, loaded: 0, tokensPerTask: 100 },
      { arm: 'learned', tasks: 5, hits: 3, passed: 0.375, loaded: 0.6, tokensPerTask: 300 },
      { arm: 'curated', tasks: 5, hits: 5, passed: 1, loaded: 1, tokensPerTask: 200 },
    ])
  })

  it('are compared family by family', () => {
    expect(compareArms(outcomes)).toEqual([
      { arm: 'learned', over: 'none', difference: 0.25, interval: undefined },
      { arm: 'curated', over: 'none', difference: 0.875, interval: undefined },
      { arm: 'learned', over: 'curated', difference: -0.625, interval: undefined },
    ])
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => outcome(name, [false], [true], [true]))
    expect(compareArms(five)[0]).toMatchObject({ difference: 1, interval: { low: 1, high: 1 } })
  })
})
