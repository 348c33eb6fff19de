/** A review of several sessions attributes each fact to the session in which it was said, so that forgetting that session erases the fact. */
import { expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { unwrap } from '../support/skill-library.ts'
import { openHome, user } from './open-home.ts'

const proposing =
  (...facts: readonly (readonly [content: string, quote: string])[]): HostModel =>
  async () =>
    JSON.stringify({
      proposals: facts.map(([content, quote]) => ({
        target: 'user',
        op: { action: 'add', content },
        rationale: 'said',
        score: 0.9,
        evidence: [{ messageId: null, quote }],
      })),
    })

it('belongs to the session in which the user said it, and goes with it', async () => {
  const storage = inMemoryBackend()
  const { hermes } = openHome(storage, { nudge: { memoryInterval: 2 } })
  const model = proposing(['Lives in Namur', 'I live in Namur'], ['Plays the cello', 'I play the cello'])
  // A page in the first session repeats a sentence of the second.
  hermes.session('one').recordTurn({
    messages: [user('I live in Namur'), { role: 'tool', text: 'They wrote: I play the cello', toolNames: ['fetch'] }],
    model,
  })
  await hermes.settled()
  hermes.session('two').recordTurn({ messages: [user('I play the cello')], model })
  await hermes.settled()
  const records = unwrap(await hermes.journal.list()).filter(({ op }) => op !== undefined)
  const sessionOf = (content: string) =>
    records.find(({ op, pass }) => pass === 'own-words' && op !== undefined && 'content' in op && op.content === content)?.sessionId
  expect([sessionOf('Lives in Namur'), sessionOf('Plays the cello')]).toEqual(['one', 'two'])

  unwrap(await hermes.forget({ session: 'two' }))
  const store = hermes.memoryStore()
  await store.load()
  expect(store.entries('user')).toEqual(['Lives in Namur'])
})
