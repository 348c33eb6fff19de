import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { buildTextFilter, mayHoldText } from './journal-index.ts'

const filterOf = (...texts: readonly string[]): Uint8Array => {
  const builder = buildTextFilter()
  for (const text of texts) builder.add(text)
  return builder.build()
}

describe('text filter', () => {
  it('never denies a piece of a text that it was given', () => {
    const texts = fc.array(fc.string({ unit: codePoint, maxLength: 60 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 20 }), (given, from, length) => {
        const [whole = ''] = given
        const folded = whole.toLowerCase()
        const piece = folded.slice(from % (folded.length + 1)).slice(0, length)
        expect(mayHoldText(filterOf(...given), piece)).toBe(true)
      }),
      { numRuns: rounds(500), seed: 14 },
    )
  })

  it('denies what none of the texts holds', () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `entry ${(index * 7919).toString(36)} builds with pnpm`)
    const filter = filterOf(...words)
    const absent = Array.from({ length: 1_000 }, (_, index) => `QQ${index}zz`)
    expect(absent.filter((text) => mayHoldText(filter, text)).length).toBeLessThan(30)
    expect(mayHoldText(filter, 'BUILDS with pnpm')).toBe(true)
  })

  it('says nothing of texts that are too short', () => {
    expect(mayHoldText(filterOf('abc'), 'zz')).toBe(true)
    expect(mayHoldText(filterOf(), 'zzz')).toBe(false)
  })

  it('is the same in every version, because it is stored on disk', () => {
    expect([...filterOf('pnpm 12')]).toMatchInlineSnapshot(`
      [
        145,
        44,
        109,
        82,
        5,
        244,
        171,
      ]
    `)
  })
})
