import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { UsageStore } from '../usage/usage-store.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { SessionState } from './session-state.ts'
import { SkillCounts } from './tool-calls.ts'

/** `null`: skills are switched off. */
const setUp = (given: UsageStore | null = new UsageStore({ storage: inMemoryBackend(), clock: () => 1 })) => {
  const usage = given ?? undefined
  const running: Promise<void>[] = []
  const effects: (() => void)[] = []
  const failures: string[] = []
  const tasks = { run: (work: () => Promise<void>) => running.push(work()) } as unknown as BackgroundTasks
  const counts = new SkillCounts(
    { usage, tasks, failed: (operation, { code }) => failures.push(`${operation}: ${code}`) },
    { whenReady: (effect) => effects.push(() => effect({} as SessionState)) },
  )
  const loaded = () => {
    for (const effect of effects.splice(0)) effect()
  }
  /** Views, uses and successes. */
  const counted = async (name: string) => {
    await Promise.all(running)
    const { viewCount, useCount, successCount } = (await usage?.get(name)) ?? {}
    return [viewCount, useCount, successCount]
  }
  return { counts, loaded, counted, failures }
}

describe('the counts of a skill', () => {
  it('have a success for each turn that loaded it, once', async () => {
    const { counts, loaded, counted, failures } = setUp()
    counts.turnBegan()
    counts.count('deploy', ['view', 'use'])
    counts.count('other', ['view'])
    loaded()
    counts.turnEnded()
    counts.turnEnded()
    loaded()
    counts.turnBegan()
    counts.turnEnded()
    expect(await counted('deploy')).toEqual([1, 1, 1])
    expect(await counted('other')).toEqual([1, 0, 0])
    expect(failures).toEqual([])
  })

  it('have none for a turn that changed it, or that never ended', async () => {
    const { counts, loaded, counted } = setUp()
    for (const name of ['changed', 'lost']) counts.count(name, ['use'])
    counts.noteChanged('changed')
    loaded()
    counts.turnBegan()
    counts.turnEnded()
    counts.count('changed', ['use'])
    counts.noteChanged('changed')
    loaded()
    counts.turnEnded()
    expect(await counted('changed')).toEqual([0, 2, 0])
    expect(await counted('lost')).toEqual([0, 1, 0])
  })

  it('report what could not be written, and write nothing if skills are switched off', async () => {
    const full = Object.assign(new UsageStore({ storage: inMemoryBackend() }), {
      record: async () => err(new HermesError('no_space', 'The disk is full.')),
    })
    const broken = setUp(full)
    broken.counts.count('deploy', ['view', 'use'])
    await broken.counted('deploy')
    expect(broken.failures).toEqual(['count skill use: no_space', 'count skill use: no_space'])
    const off = setUp(null)
    off.counts.count('deploy', ['view'])
    await off.counted('deploy')
    expect(off.failures).toEqual([])
  })
})
