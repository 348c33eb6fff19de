/** The records that a review leaves in the journal, and how they belong together. */
import { expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, proposing, user } from './open-home.ts'

it('have one id for each review, its end included, and none for what a person writes', async () => {
  const { hermes } = openHome(inMemoryBackend(), {
    gate: async () => ({ ok: true, value: { verdict: 'approve', origin: 'user', reason: 'said' } }),
  })
  const session = hermes.session('one')
  for (const facts of [['one', 'two'], ['three']]) {
    const model = proposing(...facts)
    for (let turn = 1; turn <= 10; turn++) session.recordTurn({ messages: [user(`q${turn}`), assistant('a')], model })
    await hermes.settled()
  }
  await hermes.memoryStore().apply('memory', { action: 'add', content: 'by hand' })
  const listed = await hermes.journal.list()
  const records = listed.ok ? listed.value.map(({ review, kind, op }) => [review, op && 'content' in op ? op.content : kind]) : []
  const [first, second] = [records[0]?.[0], records[3]?.[0]]
  expect(records).toEqual([
    [first, 'one'],
    [first, 'two'],
    [first, 'review-finished'],
    [second, 'three'],
    [second, 'review-finished'],
    [undefined, 'by hand'],
  ])
  expect([typeof first, typeof second, first === second]).toEqual(['string', 'string', false])
})
