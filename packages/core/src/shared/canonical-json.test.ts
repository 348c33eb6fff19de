import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { canonicalJson } from './canonical-json.ts'

/** The same data with every object's keys the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  )
}

it('gives equal bytes for equal data, which parse to it, whatever the order of the keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(reversed(value))).toBe(text)
      // Its own result has sorted keys, so it is written as it is.
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: 7, numRuns: rounds(500) },
  )
})

it('sorts the keys at every depth by their code units', () => {
  const text = canonicalJson({ b: [{ z: 1, a: { y: 1, x: 2 } }], a: { d: 1, c: 2 }, B: 1 })
  expect(text.match(/[a-zA-Z](?=":)/g)?.join('')).toBe('Bacdbaxyz')
  expect(text.endsWith('}\n')).toBe(true)
})

it('writes an object with a class by its own keys only, like one whose keys need sorting', () => {
  expect(canonicalJson({ at: new Date(0) })).toBe(canonicalJson({ at: {} }))
})
