import { expect, it } from 'vitest'
import { byText } from './by-text.ts'

it('finds out once what it is asked for again, and again what it was asked for long ago', () => {
  const found: string[] = []
  const lengthOf = byText((text) => {
    found.push(text)
    return text.length
  })
  expect([lengthOf('a'), lengthOf('bc'), lengthOf('a'), lengthOf('')]).toEqual([1, 2, 1, 0])
  expect([lengthOf(''), found]).toEqual([0, ['a', 'bc', '']])
  const long = 'x'.repeat(100_000)
  for (const end of ['1', '2', '3']) expect(lengthOf(long + end)).toBe(100_001)
  expect([lengthOf(`${long}3`), lengthOf('a')]).toEqual([100_001, 1])
  expect(found.filter((text) => text.length < 9)).toEqual(['a', 'bc', '', 'a'])
})

it('answers for a text that is longer than all that it remembers', () => {
  const lengthOf = byText((text) => text.length)
  for (let round = 0; round < 2; round++) expect(lengthOf('x'.repeat(300_000))).toBe(300_000)
})
