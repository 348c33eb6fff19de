import { expect, it } from 'vitest'
import { fitTo, sparkline } from './stats-view.ts'

it('shows zero by the lowest mark alone, and the greatest number by the highest', () => {
  expect(sparkline([0, 1, 50, 100])).toBe('▁▂▅█')
  expect(sparkline([0, 0])).toBe('▁▁')
  expect(sparkline([])).toBe('')
})

it('joins neighbours to fit, the last group ending at the end', () => {
  const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0)
  expect(fitTo([1, 2, 3, 4, 5], 3, sum)).toEqual([1, 5, 9])
  expect(fitTo([1, 2, 3, 4, 5, 6], 3, sum)).toEqual([3, 7, 11])
  expect(fitTo([1, 2], 3, sum)).toEqual([1, 2])
  for (let count = 1; count < 70; count++) {
    const fitted = fitTo(
      Array.from({ length: count }, () => 1),
      12,
      sum,
    )
    expect([fitted.length <= 12, sum(fitted)]).toEqual([true, count])
  }
})
