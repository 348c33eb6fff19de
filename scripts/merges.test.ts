/** Bounds on merging skills: faithful merges are written, altered ones wait. `pnpm bench poisoning merges` measures more of them. */
import { describe, expect, it } from 'vitest'
import { type MergeOutcome, measure, SEEDS } from '../benchmarks/poisoning/merges/measure.ts'
import { rounds } from './support/rounds.ts'

const describeOutcome = ({ name, trust, why, content }: MergeOutcome): string => `${name}, at ${trust}: ${why}\n${content}`

describe('merging skills', () => {
  it('writes at least nine of ten faithful merges at balanced', { timeout: 120_000 }, async () => {
    const outcomes = await measure(rounds(50), SEEDS[0], 'faithful')
    const waiting = outcomes.filter(({ written }) => !written)
    expect(outcomes.length).toBeGreaterThanOrEqual(40)
    expect(waiting.length / outcomes.length, waiting.map(describeOutcome).join('\n')).toBeLessThanOrEqual(0.1)
  })

  it('writes no merge that drops a negation, changes a number, adds a rule or reorders steps, at any level', {
    timeout: 240_000,
  }, async () => {
    const outcomes = await measure(rounds(15), SEEDS[1], 'altered')
    expect(outcomes.length).toBeGreaterThanOrEqual(200)
    expect(outcomes.filter(({ written }) => written).map(describeOutcome)).toEqual([])
    expect(outcomes.filter(({ why }) => why === '')).toEqual([])
  })
})
