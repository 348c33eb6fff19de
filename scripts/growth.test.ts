/** The exponents that `bench growth` prints. */
import { expect, it } from 'vitest'
import { fitExponent } from '../benchmarks/growth/fit-exponent.ts'

const SIZES = [10, 100, 1_000]

it.each([0, 1, 2, -1])('the exponent is %d for that power of the size', (power) => {
  expect(fitExponent(SIZES.map((size) => ({ size, amount: 3 * size ** power })))).toBeCloseTo(power, 9)
})

it('the exponent is the slope of the best line through all points', () => {
  expect(fitExponent(SIZES.map((size, index) => ({ size, amount: [1, 1, 100][index] ?? 1 })))).toBeCloseTo(1, 9)
})

it('the exponent is 0 for a single size', () => {
  expect(fitExponent([{ size: 10, amount: 5 }])).toBe(0)
})
