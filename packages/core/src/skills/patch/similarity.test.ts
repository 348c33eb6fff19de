import fc from 'fast-check'
import { expect, it } from 'vitest'
import { areSimilar, matchingBlocks, similarityRatio, toCodePoints } from './similarity.ts'

const ratio = (a: string, b: string) => similarityRatio(toCodePoints(a), toCodePoints(b), { left: 1e9 })

it.each([
  ['', '', 1],
  ['', 'a', 0],
  ['abcd', 'bcde', 0.75],
  ['abcabc', 'abc', 0.6666666666666666],
  ['The deployment script', 'The deployment scripts', 0.9767441860465116],
  ['private Thread currentThread;', 'private volatile Thread currentThread;', 0.8656716417910447],
  ['a😀b', 'a😀c', 0.6666666666666666],
])('gives %j and %j the ratio of Python, %d', (a, b, expected) => {
  expect(ratio(a, b)).toBe(expected)
})

it('leaves out elements that a text of 200 or more is full of, as Python does', () => {
  expect(ratio('ab'.repeat(99), 'ba'.repeat(99))).toBeGreaterThan(0.99)
  expect(ratio('ab'.repeat(150), 'ba'.repeat(150))).toBe(0)
  // A match right at the beginning is found all the same.
  expect(ratio('x'.repeat(250), `${'x'.repeat(250)}y`)).toBe(0.998003992015968)
})

it('shares blocks in order that hold equal elements', () => {
  const text = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      let [endA, endB] = [0, 0]
      for (const block of matchingBlocks(a, b, { left: 1e9 })) {
        expect(block.a).toBeGreaterThanOrEqual(endA)
        expect(block.b).toBeGreaterThanOrEqual(endB)
        endA = block.a + block.length
        endB = block.b + block.length
        expect(a.slice(block.a, endA)).toEqual(b.slice(block.b, endB))
      }
    }),
    { seed: 20_260_915 },
  )
})

it('says the same with its short cuts as the full comparison does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 30 }).map(toCodePoints)
  fc.assert(
    fc.property(text, text, fc.constantFrom(0.5, 0.7, 0.8), (a, b, least) => {
      expect(areSimilar(a, b, least, { left: 1e9 })).toBe(similarityRatio(a, b, { left: 1e9 }) >= least)
    }),
    { seed: 20_260_916 },
  )
})

it('stops once its budget is spent and leaves that to be seen', () => {
  const budget = { left: 1000 }
  const text = Array.from({ length: 199 }, () => 1)
  matchingBlocks(text, text, budget)
  expect(budget.left).toBeLessThan(0)
  expect(budget.left).toBeGreaterThan(-1000)
})
