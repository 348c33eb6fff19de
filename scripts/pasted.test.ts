/** Bounds on what of copied text is found in a user's message, and on what of the user's own words is taken for it. */
import { describe, expect, it } from 'vitest'
import { FORMS, type PastedCase, pastedCases } from '../benchmarks/poisoning/pasted/forms.ts'
import { honestMessages, LIKE_COPIES } from '../benchmarks/poisoning/pasted/honest.ts'
import { isCut, isFound, keepsOwn, without } from '../benchmarks/poisoning/pasted/measure.ts'

const share = <T>(list: readonly T[], is: (item: T) => boolean): number => list.filter(is).length / list.length

/** Every seventh: all forms, in changing languages and with changing contents. */
const sample = pastedCases().filter((_, index) => index % 7 === 0)
const isMarked = ({ group }: PastedCase): boolean => group !== 'none'

describe('pasted text', () => {
  it('is found in at least 95 % of the cases with a mark, beside which the own words are kept', () => {
    const marked = sample.filter(isMarked)
    expect(new Set(marked.map(({ form }) => form)).size).toBeGreaterThan(60)
    expect(share(marked, (each) => isFound(each))).toBeGreaterThan(0.95)
    expect(share(marked, keepsOwn)).toBe(1)
  })

  it('is not found without a mark', () => {
    const unmarked = sample.filter((each) => !isMarked(each))
    expect(share(unmarked, (each) => isFound(each))).toBe(0)
  })

  it.each(Object.keys(FORMS).filter((group) => group !== 'none'))('needs the structure "%s"', (group) => {
    const some = sample.filter((each) => each.group === group)
    const found = share(some, (each) => isFound(each))
    expect(found - share(some, (each) => isFound(each, without(group)))).toBeGreaterThan(0.4)
  })

  it('is seen in at most 1 % of honest messages', () => {
    const honest = honestMessages(4, 1).filter(({ kind }) => !LIKE_COPIES.has(kind))
    expect(honest.length).toBeGreaterThan(400)
    expect(share(honest, (each) => isCut(each))).toBeLessThanOrEqual(0.01)
  })
})
