import { describe, expect, it } from 'vitest'
import { countUnits } from '../../model/token-estimate.ts'
import { inputBudget, inputShares, RETRY_TOKENS } from './input-shares.ts'
import { digestRequest } from './prompts/review-request.ts'

describe('inputBudget', () => {
  it('is 24,000 tokens by default, and 4,000 at least', () => {
    expect([inputBudget(), inputBudget(9_000), inputBudget(4_000), inputBudget(100)]).toEqual([24_000, 9_000, 4_000, 4_000])
  })
})

describe('inputShares', () => {
  it('gives a fifth to each store and a tenth to what waits, for memory alone', () => {
    expect(inputShares(24_000, 'memory', 20)).toEqual({ store: 19_200, waiting: 9_600, skills: 0, earlier: 0 })
    expect(inputShares(undefined, 'memory', 20)).toEqual(inputShares(24_000, 'memory', 20))
  })

  it.each(['skills', 'both'] as const)('divides what the request itself and its retry leave, for %s', (kind) => {
    const parts = { kind, remembered: '', library: '', waiting: '', maxProposals: 20, now: 0, showsOutside: true }
    const { system, user } = digestRequest('', parts)
    for (const tokens of [4_000, 9_000, 24_000]) {
      const free = (tokens - RETRY_TOKENS) * 4 - countUnits(system) - countUnits(user)
      expect(inputShares(tokens, kind, 20)).toEqual({
        store: Math.floor(free / 10),
        waiting: Math.floor(free / 12),
        skills: Math.floor(free * 0.4),
        earlier: Math.min(4_000, Math.floor(free / 8)),
      })
    }
  })
})
