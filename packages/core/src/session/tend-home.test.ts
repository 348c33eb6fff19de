import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { tendHome } from './tidy-home.ts'

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
