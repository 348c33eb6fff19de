import { manualClock } from '@hermes/testing'
import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { createActivity } from './background-tasks.ts'

it('knows the last step at once, and has something to write only now and then', () => {
  const clock = manualClock()
  const activity = createActivity({ storage: inMemoryBackend(), clock })
  expect(activity.lastStepAt).toBeUndefined()
  expect(activity.note()).toBeDefined()
  expect(activity.note()).toBeUndefined()
  clock.advance(599_999)
  expect(activity.note()).toBeUndefined()
  expect(activity.lastStepAt).toBe(clock())
  clock.advance(1)
  expect(activity.note()).toBeDefined()
})

it('writes again after the clock was put back', () => {
  const clock = manualClock()
  const activity = createActivity({ storage: inMemoryBackend(), clock })
  activity.note()
  clock.advance(-60_000)
  expect(activity.note()).toBeDefined()
})
