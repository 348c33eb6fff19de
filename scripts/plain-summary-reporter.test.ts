import { describe, expect, it } from 'vitest'
import { overBudget } from './plain-summary-reporter.ts'

describe('the budget of processor time', () => {
  it('is kept by a run whose files and sum stay below it', () => {
    expect(overBudget([{ file: 'a.test.ts', seconds: 10 }], 400, { fileSeconds: 10, runSeconds: 400 })).toEqual([])
  })

  it('is broken by each file above it, and by the sum', () => {
    const times = [
      { file: 'a.test.ts', seconds: 10.26 },
      { file: 'b.test.ts', seconds: 1 },
    ]
    expect(overBudget(times, 401, { fileSeconds: 10, runSeconds: 400 })).toEqual([
      expect.stringMatching(/^OVER BUDGET: a\.test\.ts took 10\.3 s of processor time; at most 10 s\./),
      expect.stringMatching(/^OVER BUDGET: the run took 401 s of processor time; at most 400 s\./),
    ])
  })
})
