import { createHermes, type HermesEvent, inMemoryBackend } from '@hermes/core'
import { expect, it } from 'vitest'
import { createReviewCounter } from './review-counter.ts'

const started = (turns: number, reviews: 'memory' | 'skills' | 'both' = 'memory'): HermesEvent => ({
  type: 'review-started',
  sessionId: 's',
  at: 0,
  reviews,
  turns,
  iterations: 0,
})
const stopped: HermesEvent = { type: 'review-stopped', sessionId: 's', at: 0 }

it('counts down with each turn, and begins anew with a review of memory', () => {
  const counter = createReviewCounter(3)
  expect(counter.remaining()).toBe(3)
  counter.countTurn()
  counter.see(started(0, 'skills'))
  expect(counter.remaining()).toBe(2)
  counter.countTurn()
  counter.countTurn()
  counter.see(started(3))
  expect(counter.remaining()).toBe(3)
})

it('counts a turn once if its review starts before the turn has been counted', () => {
  const counter = createReviewCounter(3)
  counter.countTurn()
  counter.countTurn()
  counter.see(started(3))
  counter.countTurn()
  expect(counter.remaining()).toBe(3)
})

it('counts the turns of a cancelled review again', () => {
  const counter = createReviewCounter(10)
  for (let turn = 0; turn < 4; turn++) counter.countTurn()
  counter.see(started(4))
  expect(counter.remaining()).toBe(10)
  counter.see(stopped)
  expect(counter.remaining()).toBe(6)
})

it('shows nothing if reviews are off', () => {
  expect(createReviewCounter(0).remaining()).toBeUndefined()
})

it('starts with the turns that earlier sessions have left', async () => {
  const storage = inMemoryBackend()
  const hermes = createHermes({ storage, onEvent: () => {} })
  for (const id of ['one', 'two']) {
    hermes.session(id).recordTurn({
      messages: [
        { role: 'user', text: 'hello' },
        { role: 'assistant', text: 'Hello.' },
      ],
    })
    await hermes.session(id).settled()
  }
  const counter = createReviewCounter(10)
  await counter.load(hermes)
  expect(counter.remaining()).toBe(8)
})

it('does not count turns again whose text from outside waits for a later review', async () => {
  const hermes = createHermes({ storage: inMemoryBackend(), onEvent: () => {} })
  const session = hermes.session('one')
  session.recordTurn({
    messages: [
      { role: 'user', text: 'read the page' },
      { role: 'tool', text: 'Invoices can be downloaded.' },
      { role: 'assistant', text: 'I have read it.' },
    ],
    model: async () => '{"proposals":[]}',
  })
  expect(await session.end({ minTurns: 1 })).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
  const counter = createReviewCounter(10)
  await counter.load(hermes)
  expect(counter.remaining()).toBe(10)
})
