import { expect, test } from 'vitest'
import { countCodePoints } from '../shared/code-points.ts'
import { checkCharLimit, countUsedChars, formatCount, formatUsage, previewText } from './memory-document.ts'

test('characters are code points, delimiters count', () => {
  expect(countCodePoints('😀e\u0301')).toBe(3)
  expect(countUsedChars(['aaa', 'bbb'])).toBe(9)
  expect(countUsedChars([])).toBe(0)
})

test.each<[number, number, string]>([
  [0, 0, '0% — 0/0 chars'],
  [29, 100, '28% — 29/100 chars'],
  [57, 100, '56% — 57/100 chars'],
  [33, 20, '100% — 33/20 chars'],
  [1_100, 2_200, '50% — 1,100/2,200 chars'],
])('%i of %i is "%s"', (used, limit, text) => {
  expect(formatUsage(used, limit)).toBe(text)
})

test('thousands are separated by commas', () => {
  expect([0, 999, 1_000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567'])
})

test('a preview cuts between code points', () => {
  expect(previewText('😀😀😀', 2)).toBe('😀😀...')
  expect(previewText('😀😀', 2)).toBe('😀😀')
})

test('a limit is a whole number of 0 or more', () => {
  expect(checkCharLimit('limit', 0)).toBe(0)
  for (const limit of [-1, 0.5, Number.NaN]) expect(() => checkCharLimit('limit', limit)).toThrow(/^limit must be/)
})
