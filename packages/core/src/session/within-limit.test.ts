/** How long a turn waits for work, and what becomes of the work. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endsWithin, untilStopped, withinLimit } from './within-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms))

it('waits for an answer up to the limit, and leaves no timer behind', async () => {
  const both = [
    withinLimit(after(99, 'a'), 100),
    withinLimit(after(101, 'a'), 100),
    endsWithin(after(99, 0), 100),
    endsWithin(after(101, 0), 100),
  ]
  await vi.advanceTimersByTimeAsync(101)
  expect(await Promise.all(both)).toEqual(['a', undefined, true, false])
  await expect(withinLimit(Promise.reject(new Error('broken')), 100)).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['what the work gives, if nobody stops it', undefined, 5_000, 'done'],
  ['what it gives within half a second of being stopped', 100, 599, 'done'],
  ['that it was stopped, half a second later', 100, 700, 'stopped'],
  ['what it gives within half a second, if it was stopped before it began', 0, 499, 'done'],
  ['that it was stopped before it began', 0, 600, 'stopped'],
])('gives %s', async (_, stopAt, worksMs, expected) => {
  const controller = new AbortController()
  if (stopAt === 0) controller.abort()
  else if (stopAt !== undefined) setTimeout(() => controller.abort(), stopAt)
  const listens = vi.spyOn(controller.signal, 'addEventListener')
  const leaves = vi.spyOn(controller.signal, 'removeEventListener')
  const ended = untilStopped(after(worksMs, 'done'), controller.signal, 'stopped')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await ended).toBe(expected)
  const [type, listener] = listens.mock.calls[0] ?? []
  expect([type, leaves.mock.calls]).toEqual(['abort', [['abort', listener]]])
})
