import { expect, it } from 'vitest'
import { RequestDates } from './request-dates.ts'

it.each([1e20, Number.NaN, Number.POSITIVE_INFINITY])('a stored time that no date has, %d, is one that nobody knows', (at) => {
  expect(new RequestDates(0, 'UTC').said(at)).toBe('on an unknown day')
})

it.each([
  ['in microseconds', Date.UTC(2026, 0, 5) * 1_000],
  ['before a calendar', -6e13],
  ['in the future', Date.UTC(2026, 10, 30)],
])('a stored time that cannot be that of what was said, %s, is one that nobody knows', (_, at) => {
  expect(new RequestDates(Date.UTC(2026, 10, 28), 'UTC').said(at)).toBe('on an unknown day')
})

it('says no day of today, and the weekday of another in the time zone of the user', () => {
  const dates = new RequestDates(Date.UTC(2026, 10, 27, 23, 30), 'Europe/Berlin')
  expect(dates.today).toBe('Today is Saturday, 2026-11-28 (Europe/Berlin).')
  expect([undefined, Date.UTC(2026, 10, 28, 12), Date.UTC(2026, 10, 27, 12), 0].map((at) => dates.said(at))).toEqual([
    '',
    '',
    'on Friday, 2026-11-27',
    'on an unknown day',
  ])
})
