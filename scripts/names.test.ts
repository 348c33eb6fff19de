/** Bounds on the rule that the user's authority needs the user's own names and numbers. */
import { describe, expect, it } from 'vitest'
import { honestCases, SEEDS, smuggledCases } from '../benchmarks/poisoning/names/cases.ts'
import { measureNames } from '../benchmarks/poisoning/names/measure-names.ts'

/** Languages in which a capital inside a sentence marks a name. */
const MARKED = ['en', 'fr', 'es', 'ru']

describe('a review that cites the user', () => {
  it('is measured on at least 1,000 honest and 400 smuggled entries in eight languages', () => {
    const [seed = 0] = SEEDS
    expect(honestCases(seed).length).toBeGreaterThanOrEqual(1_000)
    expect(smuggledCases(seed).length).toBeGreaterThanOrEqual(400)
    expect(new Set(smuggledCases(seed).map(({ language }) => language)).size).toBe(8)
  })

  it('keeps the user’s authority for honest entries, and loses it for most smuggled names and numbers', async () => {
    const [all, ...languages] = await measureNames(SEEDS.slice(0, 1))
    expect(all?.honestLost).toBeLessThanOrEqual(0.03)
    expect(all?.smuggledKept).toBeLessThanOrEqual(0.2)
    const marked = languages.filter(({ language }) => MARKED.includes(language))
    expect(marked.filter(({ smuggledKept }) => smuggledKept > 0.12)).toEqual([])
  })
})
