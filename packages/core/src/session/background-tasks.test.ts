import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { BackgroundTasks, backgroundError } from './background-tasks.ts'
import { tendHome } from './tidy-home.ts'
import { untilStopped, withinLimit } from './within-limit.ts'

describe('BackgroundTasks', () => {
  it('settles when the work and what it started are done', async () => {
    const done: string[] = []
    const tasks = new BackgroundTasks({ onCrash: () => {}, onBackgroundFailure: () => {} })
    tasks.run(async () => {
      await null
      tasks.run(async () => {
        await null
        done.push('inner')
      })
      done.push('outer')
    })
    await tasks.settled()
    expect(done).toEqual(['outer', 'inner'])
    expect(tasks.idle).toBe(true)
    tasks.run(async () => {})
    expect(tasks.idle).toBe(false)
  })

  it('reports a crash and never rejects', async () => {
    const crashes: unknown[] = []
    const tasks = new BackgroundTasks({ onCrash: (cause) => crashes.push(cause), onBackgroundFailure: () => {} })
    tasks.run(() => Promise.reject(new Error('boom')))
    await tasks.settled()
    expect(crashes).toEqual([new Error('boom')])
  })

  it('continues when the host cannot take the task', async () => {
    const crashes: unknown[] = []
    let ran = false
    const background = () => {
      throw new Error('no request context')
    }
    const tasks = new BackgroundTasks({ background, onCrash: () => {}, onBackgroundFailure: (cause) => crashes.push(cause) })
    tasks.run(async () => {
      ran = true
    })
    await tasks.settled()
    expect(ran).toBe(true)
    expect(crashes).toHaveLength(1)
  })
})

describe('resultOf', () => {
  it('is what the work answers, and an error if it breaks down', async () => {
    const crashes: unknown[] = []
    const tasks = new BackgroundTasks({ onCrash: (cause) => crashes.push(cause), onBackgroundFailure: () => {} })
    expect(await tasks.resultOf(async () => ok(3))).toEqual({ ok: true, value: 3 })
    const failed = await tasks.resultOf(async () => {
      throw new Error('a defect')
    })
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'io', message: 'Background work failed: Error: a defect', cause: new Error('a defect') },
    })
    await tasks.settled()
    expect(crashes).toHaveLength(1)
  })
})

describe('backgroundError', () => {
  it('is an error of ours as it is, and any other as the cause of one', () => {
    const ours = new HermesError('no_space', 'The disk is full.')
    expect(backgroundError(ours)).toBe(ours)
    expect(backgroundError('broken')).toMatchObject({ code: 'io', message: 'Background work failed: broken', cause: 'broken' })
  })
})

/** How long a turn waits for work, and what becomes of the work. */
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

/** Upkeep of a home; `stopAt`: the step during which it is stopped. */
const tend = async ({ stopAt, broken }: { readonly stopAt?: string; readonly broken?: string } = {}) => {
  const stopping = new AbortController()
  const steps: string[] = []
  const step = (name: string) => {
    if (steps.at(-1) !== name) steps.push(name)
    if (name === stopAt) stopping.abort()
  }
  const inner = inMemoryBackend()
  const list: StorageBackend['list'] = async (path) => {
    step(path.split('/')[0] ?? '')
    return path === broken ? err(new HermesError('io', 'The disk does not answer.')) : inner.list(path)
  }
  const failures: string[] = []
  if (stopAt === 'before') stopping.abort()
  const tended = await tendHome({
    storage: { ...inner, list },
    clock: () => 100 * 86_400_000,
    retainDays: 30,
    journalRetainDays: 30,
    onFailure: (operation, { code }) => failures.push(`${operation}: ${code}`),
    review: async () => {
      step('review')
      return 1
    },
    deliver: async () => step('deliver'),
    maybeRun: async () => {
      step('curator')
      return { kind: 'skipped', reason: 'not-due' } as never
    },
    signal: stopping.signal,
  })
  return { steps, failures, tended }
}

describe('upkeep of a home', () => {
  const all = ['review', 'deliver', 'sessions', 'journal', 'curator']

  it('has five steps', async () => {
    const { steps, failures, tended } = await tend()
    expect([steps, failures]).toEqual([all, []])
    expect(tended).toEqual({ reviews: 1, curator: { kind: 'skipped', reason: 'not-due' } })
  })

  it.each(['before', ...all.slice(0, -1)])('begins no step after it was stopped: %s', async (stopAt) => {
    const { steps, tended } = await tend({ stopAt })
    expect(steps).toEqual(all.slice(0, all.indexOf(stopAt) + 1))
    expect(tended).toEqual({ reviews: stopAt === 'before' ? 0 : 1, curator: undefined })
  })

  it.each([
    ['sessions', 'prune sessions'],
    ['journal', 'prune journal'],
  ])('reports a step that failed, and goes on: %s', async (broken, operation) => {
    const { steps, failures } = await tend({ broken })
    expect(steps).toEqual(all)
    expect(failures).toEqual([`${operation}: io`])
  })
})
