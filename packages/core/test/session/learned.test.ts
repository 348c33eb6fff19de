/** What reviews have learned shows once, on the session's next result. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, user } from './open-home.ts'
const said: readonly TurnMessage[] = [user('I live in Oslo. What does staging run on?'), assistant('I will look.')]

const add = (target: string, content: string) => ({
  target,
  op: { action: 'add', content },
  score: 0.9,
  evidence: [{ quote: 'I live in Oslo' }],
})

/** Answers each review request with the next of these. */
const answering = (...answers: readonly (readonly unknown[])[]): HostModel => {
  let next = 0
  return async () => JSON.stringify({ proposals: answers[next++] ?? [] })
}

const open = () => openHome(inMemoryBackend(), { nudge: { memoryInterval: 1, skillInterval: 0 } })

describe('what a review has learned', () => {

  it('adds up until somebody takes it, and a run inside a tool takes nothing', async () => {
    const { hermes } = open()
    const session = hermes.session('one')
    for (const fact of ['Lives in Oslo', 'Likes Oslo']) {
      session.recordTurn({ messages: said, model: answering([add('user', fact)]) })
      await hermes.settled()
    }
    const inTool = [user('Look up Oslo')]
    session.beginStep(inTool, { nested: true })
    expect(session.takeLearned(inTool)).toBeUndefined()
    const prompt = [user('And now?')]
    session.beginStep(prompt)
    expect(session.takeLearned(prompt)?.learned.map(({ content }) => content)).toEqual(['Lives in Oslo', 'Likes Oslo'])
  })

  it('goes with an erased text, and with a forgotten session', async () => {
    const { hermes } = open()
    const learn = async (session: Session, fact: string) => {
      session.recordTurn({ messages: said, model: answering([add('user', fact)]) })
      await hermes.settled()
    }
    const session = hermes.session('one')
    await learn(session, 'Lives in Oslo')
    await learn(session, 'Works in Bergen')
    await hermes.forget({ entry: 'Works in Bergen' })
    expect(session.takeLearned()?.learned.map(({ content }) => content)).toEqual(['Lives in Oslo'])
    await learn(session, 'Has a dog')
    await hermes.forget({ session: 'one' })
    expect(session.takeLearned()).toBeUndefined()
  })

  it('never reaches another owner, whatever the session is called', async () => {
    const homes = createHermesHomes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1 } })
    const [alice, bob] = [homes.for('alice').session('chat'), homes.for('bob').session('chat')]
    alice.recordTurn({ messages: said, model: answering([add('user', 'Lives in Oslo')]) })
    bob.recordTurn({ messages: said, model: answering([]) })
    await homes.settled()
    expect(bob.takeLearned()).toBeUndefined()
    expect(alice.takeLearned()?.learned).toHaveLength(1)
    await homes.close()
  })
})
