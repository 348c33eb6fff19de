/** The journal of a home tells what happened in its order, also where all of it happened in one millisecond. */
import { expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'

const fact = 'The build runs on port 4711.'
const proposals = [{ target: 'memory', op: { action: 'add', content: fact }, rationale: 'said', score: 0.9, evidence: [{ quote: fact }] }]

it('tells what a review wrote before it tells that the review has finished', async () => {
  for (let home = 0; home < 12; home++) {
    const hermes = createHermes({
      storage: inMemoryBackend(),
      clock: () => Date.UTC(2026, 0, 5),
      review: { model: async () => JSON.stringify({ proposals }) },
      curator: { enabled: false },
    })
    const session = hermes.session('chat')
    session.recordTurn({ messages: [{ role: 'user', text: fact }] })
    await session.end({ minTurns: 1 })
    await hermes.settled()
    const records = await hermes.journal.list()
    expect(records.ok && records.value.map(({ kind }) => kind)).toEqual(['applied', 'review-finished'])
    await hermes.close()
  }
})
