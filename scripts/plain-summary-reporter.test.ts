import { describe, expect, it } from 'vitest'
import { overBudget, slownessOf } from './plain-summary-reporter.ts'

const budget = { fileSeconds: 10, runSeconds: 400, referenceSeconds: 0.5 }

describe('the budget of processor time', () => {
  it('is kept by a run whose files and sum stay below it', () => {
    expect(overBudget([{ file: 'a.test.ts', seconds: 10 }], 400, 1, budget)).toEqual([])
  })

  it('is broken by each file above it, and by the sum', () => {
    const times = [
      { file: 'a.test.ts', seconds: 10.26 },
      { file: 'b.test.ts', seconds: 1 },
    ]
    expect(overBudget(times, 401, 1, budget)).toEqual([
      expect.stringMatching(/^OVER BUDGET: a\.test\.ts took 10\.3 s of processor time; at most 10\.0 s\./),
      expect.stringMatching(/^OVER BUDGET: the run took 401 s of processor time; at most 400 s\./),
    ])
  })

  it('grows with the time that the machine needs for a fixed piece of work, and never shrinks', () => {
    expect([slownessOf([], budget), slownessOf([0.1], budget), slownessOf([9, 0.6, 0.1], budget)]).toEqual([1, 1, 1.2])
    expect(overBudget([{ file: 'a.test.ts', seconds: 12 }], 480, 1.2, budget)).toEqual([])
    expect(overBudget([{ file: 'a.test.ts', seconds: 12.1 }], 481, 1.2, budget)).toEqual([
      expect.stringContaining('at most 12.0 s (1.2 times'),
      expect.stringContaining('at most 480 s (1.2 times'),
    ])
  })
})
