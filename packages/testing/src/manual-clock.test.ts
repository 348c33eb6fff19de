import { expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'

it('does not move until it is moved', () => {
  const clock = manualClock(1_000)
  expect([clock(), clock()]).toEqual([1_000, 1_000])
  clock.advance(500)
  expect(clock()).toBe(1_500)
  clock.set(20)
  expect(clock()).toBe(20)
})

it('starts at a fixed moment, so that tests are the same on every day', () => {
  expect(new Date(manualClock()()).toISOString()).toBe('2026-01-05T12:00:00.000Z')
})
