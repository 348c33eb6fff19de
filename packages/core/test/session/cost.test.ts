/** The cost of a review is in its event and in the ledger of the journal, whatever its outcome. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { estimateTokens } from '../../src/model/token-estimate.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { unwrap } from '../support/skill-library.ts'
import { assistant, openHome, proposing, user } from './open-home.ts'
import { countingHost, countingModel, textOf, wordsOf } from './token-counts.ts'

const nudge = { memoryInterval: 1, skillInterval: 0 }

const counting =
  (usage: object, answer: HostModel): HostModel =>
  async (request) => ({ text: String(await answer(request)), usage, model: 'small-1' })

const review = async (model: HostModel, messages = [user('I live in Oslo'), assistant('Nice.')]) => {
  const { hermes, events } = openHome(inMemoryBackend(), { nudge })
  hermes.session('one').recordTurn({ messages, model })
  await hermes.settled()
  const records = unwrap(await hermes.journal.list({ withCost: true }))
  return { hermes, events, records, ended: endOf(events) }
}

const endOf = (events: readonly HermesEvent[]) =>
  events.find((event) => event.type === 'review-finished' || event.type === 'review-failed' || event.type === 'review-stopped')

const USAGE = { inputTokens: 1_000, cachedInputTokens: 600, outputTokens: 50 }

describe('the cost of a review', () => {
  it('is what the provider counted, in the event and in the ledger', async () => {
    const { ended, records } = await review(counting(USAGE, proposing('Lives in Oslo')))
    const cost = { model: 'small-1', calls: 1, ...USAGE, estimated: false, durationMs: 1 }
    expect(ended).toMatchObject({ type: 'review-finished', sessionId: 'one', cost })
    expect(records).toMatchObject([{ actor: 'review', sessionId: 'one', kind: 'review-finished', cost }])
    expect(records[0]?.reason).toBe('Applied: 1, held: 0, rejected: 0, failed: 0.')
  })

  it('is an estimate if the model says nothing of it', async () => {
    const { ended } = await review(proposing('Lives in Oslo'))
    expect(ended).toMatchObject({ cost: { calls: 1, cachedInputTokens: 0, estimated: true } })
    expect(ended && 'cost' in ended && ended.cost?.inputTokens).toBeGreaterThan(100)
  })

  it('adds both passes up', async () => {
    const quoted = [user('I live in Oslo. They wrote:\n> staging runs on Fedora'), assistant('Nice.')]
    const { ended } = await review(counting(USAGE, proposing()), quoted)
    expect(ended).toMatchObject({ cost: { calls: 2, inputTokens: 2_000, outputTokens: 100 } })
  })
})

const open = async (storage = inMemoryBackend()) => {
  const { hermes, events } = openHome(storage)
  const session = hermes.session('one')
  session.offerTools()
  const reviewer = countingModel()
  return { hermes, events, session, reviewer, host: await countingHost(hermes, session, reviewer.model) }
}

const ofReviews = (events: Awaited<ReturnType<typeof open>>['events']) =>
  events.flatMap((event) => (event.type === 'review-started' ? [event.reviews] : []))

describe('the system text of a review', () => {
  it.each([
    ['memory', 450, { memoryInterval: 1, skillInterval: 0 }],
    ['skills', 700, { memoryInterval: 0, skillInterval: 1 }],
    ['both', 950, { memoryInterval: 1, skillInterval: 1 }],
  ])('is at most, for %s, %i tokens', async (kind, bound, nudge) => {
    const { hermes, events } = openHome(inMemoryBackend(), { nudge })
    const reviewer = countingModel()
    hermes.session('one').recordTurn({ messages: [{ role: 'user', text: 'I live in Oslo' }], toolIterations: 1, model: reviewer.model })
    await hermes.settled()
    expect(ofReviews(events)).toEqual([kind])
    expect(reviewer.requests.map(({ system }) => estimateTokens(system) <= bound)).toEqual([true])
  })
})

describe('ten plain turns of 300 tokens', () => {
  it.each([
    [60, 240],
    [100, 200],
    [150, 150],
  ])('cost one review of at most 2,500 tokens and 15 percent of what was sent: %i by the user, %i by the agent', async (said, replied) => {
    const { host, reviewer } = await open()
    for (let turn = 0; turn < 10; turn++) await host.turn(wordsOf(said, turn), [], wordsOf(replied, 50 + turn))
    expect(reviewer.requests).toHaveLength(1)
    for (let turn = 0; turn < 10; turn++) expect(textOf(reviewer.requests[0])).toContain(wordsOf(said, turn).trim())
    expect(reviewer.total()).toBeLessThanOrEqual(2_500)
    expect(reviewer.total() / host.sent()).toBeLessThanOrEqual(0.15)
  })
})

/** What reviews have learned shows once, on the session's next result. */
describe('learned', () => {
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
})
