import { expect, it } from 'vitest'
import { RequestDates } from './request-dates.ts'

it.each([1e20, Number.NaN, Number.POSITIVE_INFINITY])('a stored time that no date has, %d, is one that nobody knows', (at) => {
  expect(new RequestDates(0, 'UTC').said(at)).toBe('on an unknown day')
})
