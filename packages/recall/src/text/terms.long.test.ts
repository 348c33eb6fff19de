/** Terms of any text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf } from './terms.ts'

describe('termsOf', () => {
  it('has only what an index takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const isRight = (term: string) => /^[\p{L}\p{M}\p{N}]{1,64}$/u.test(term) && term.length <= 64 && term.isWellFormed()
        expect(termsOf(text).filter((term) => !isRight(term))).toEqual([])
      }),
      { seed: 1, numRuns: 100 },
    )
  })
})
