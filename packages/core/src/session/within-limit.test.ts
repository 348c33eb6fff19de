/** How long a turn waits for work, and what becomes of the work. */
import { stat } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pause } from '../shared/pause.ts'
import { untilStopped, withinLimit } from './within-limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms))

it('waits for an answer up to the limit, and leaves no timer behind', async () => {
  const [quick, slow] = [withinLimit(after(99, 'a'), 100), withinLimit(after(101, 'a'), 100)]
  await vi.advanceTimersByTimeAsync(100)
  expect([await quick, await slow]).toEqual(['a', undefined])
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  await expect(withinLimit(Promise.reject(new Error('broken')), 100)).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it('takes an answer that arrived while the process was busy', async () => {
  vi.useRealTimers()
  // Timers come next in the event loop, before the answers of the file system.
  await pause()
  const answer = withinLimit(stat(import.meta.dirname), 20)
  // Blocks the event loop, and leaves the processor to the thread that looks at the file.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(await answer).toMatchObject({ size: expect.any(Number) })
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
  const ended = untilStopped(after(worksMs, 'done'), controller.signal, 'stopped')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await ended).toBe(expected)
})

it('gives what the work gives, also if that is nothing', async () => {
  expect(await untilStopped<unknown>(Promise.resolve(undefined), new AbortController().signal, 'stopped')).toBeUndefined()
})

it('listens for a stop only while it waits', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const listening: string[] = []
  vi.spyOn(signal, 'addEventListener').mockImplementation((type) => listening.push(`+${type}`))
  vi.spyOn(signal, 'removeEventListener').mockImplementation((type) => listening.push(`-${type}`))
  await untilStopped(Promise.resolve('done'), signal, 'stopped')
  expect(listening).toEqual(['+abort', '-abort'])
})
