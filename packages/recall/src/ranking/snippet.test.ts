import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { snippetOf } from './snippet.ts'

const weights = new Map([
  ['boil', 5],
  ['nilsen', 6],
])

it('keeps a short text, on one line', () => {
  expect(snippetOf('The boiler\n is  new.', weights, 100)).toBe('The boiler is new.')
})

it('grows around the sentence that says most', () => {
  const filler = 'Nothing of interest happened here today. '
  const text = `${filler.repeat(20)}The boiler is a Nilsen. ${filler.repeat(20)}`
  const snippet = snippetOf(text, weights, 120)
  expect(snippet).toContain('The boiler is a Nilsen.')
  expect(snippet).toMatch(/^….*…$/)
  expect(snippet.length).toBeLessThanOrEqual(120)
})

it('is empty where there is no room', () => {
  expect(snippetOf('The boiler is a Nilsen.', weights, 5)).toBe('')
  expect(snippetOf('The boiler is a Nilsen.', weights, -7)).toBe('')
})

it('is never longer than asked, and well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.integer({ min: 20, max: 300 }), (text, limit) => {
      const snippet = snippetOf(text.toWellFormed(), weights, limit)
      expect(snippet.length).toBeLessThanOrEqual(limit)
      expect(snippet.isWellFormed()).toBe(true)
    }),
    { seed: 1, numRuns: rounds(100) },
  )
})
