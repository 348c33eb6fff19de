import type { HermesEvent, ReviewOutcome } from '@hermes/core'
import { expect, it } from 'vitest'
import { createReviewWatch } from './describe-event.ts'

const started = (turns: number): HermesEvent => ({ type: 'review-started', sessionId: 's', at: 0, reviews: 'memory', turns, iterations: 0 })
const outcome: ReviewOutcome = { applied: [], held: [], rejected: [], failed: [] }
const finished: HermesEvent = { type: 'review-finished', sessionId: 's', at: 0, outcome }

it('tells of the first review that starts, once', () => {
  const watch = createReviewWatch()
  const told: number[] = []
  const stop = watch.tellNext(({ turns }) => told.push(turns))
  for (const event of [started(3), finished, started(4), finished]) watch.see(event)
  stop()
  expect(told).toEqual([3])
})

it('tells at once of a review in progress, and of none after it stopped watching', () => {
  const watch = createReviewWatch()
  const told: number[] = []
  watch.see(started(3))
  watch.tellNext(({ turns }) => told.push(turns))()
  watch.see(finished)
  watch.tellNext(({ turns }) => told.push(turns))()
  watch.see(started(4))
  expect(told).toEqual([3])
})
