import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLineRuns, findSequence, findText } from './find-text.ts'

const few = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 40 })

const naively = (within: readonly number[], wanted: readonly number[], overlapping: boolean): number[] => {
  const found: number[] = []
  for (let at = 0; wanted.length > 0 && at + wanted.length <= within.length; at++) {
    if (!overlapping && found.length > 0 && at < found.at(-1)! + wanted.length) continue
    if (wanted.every((item, index) => item === within[at + index])) found.push(at)
  }
  return found
}

it('finds what a comparison at every place finds, with and without overlaps', () => {
  fc.assert(
    fc.property(few, few, fc.boolean(), (within, wanted, overlapping) => {
      const short = wanted.slice(0, 4)
      expect(findSequence(within, short, { overlapping })).toEqual(naively(within, short, overlapping))
    }),
    { seed: 20_260_914 },
  )
})

it('finds texts left to right without overlaps, as replacing them needs it', () => {
  expect(findText('aaaaa', 'aa')).toEqual([0, 2])
  expect(findText('go 🚀 now', '🚀')).toEqual([3])
  expect(findText('a', 'ab')).toEqual([])
  expect(findText('abc', '')).toEqual([])
})

it('reports every run of lines, also one that begins inside another', () => {
  expect(findLineRuns(['a', 'a', 'a', 'b'], ['a', 'a'])).toEqual([0, 1])
  expect(findLineRuns(['a', 'b'], ['c'])).toEqual([])
})
