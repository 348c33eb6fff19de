/** The cost of a review is in its event and in the ledger of the journal, whatever its outcome. */
import { describe, expect, it } from 'vitest'
import { sumLedger } from '../../src/journal/journal-record.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { unwrap } from '../support/skill-library.ts'
import { assistant, openHome, proposing, user } from './open-home.ts'

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

  it('counts the retry of an answer that cannot be read', async () => {
    const { ended, records } = await review(counting(USAGE, async () => 'What a chat!'))
    expect(ended).toMatchObject({ type: 'review-failed', cost: { calls: 2, inputTokens: 2_000 } })
    expect(records).toMatchObject([{ kind: 'review-failed', error: { code: 'unparseable' }, cost: { calls: 2 } }])
  })

  it('is summed up by the ledger over sessions', async () => {
    const { hermes } = openHome(inMemoryBackend(), { nudge })
    for (const id of ['a', 'b', 'b']) {
      hermes.session(id).recordTurn({ messages: [user('hi')], model: counting(USAGE, proposing()) })
      await hermes.settled()
    }
    const sum = sumLedger(unwrap(await hermes.journal.list({ withCost: true })), { by: 'session' })
    expect(sum.rows.map(({ key, runs, inputTokens }) => [key, runs, inputTokens])).toEqual([
      ['b', 2, 2_000],
      ['a', 1, 1_000],
    ])
    expect(sum.total).toMatchObject({ runs: 3, calls: 3, cachedInputTokens: 1_800 })
  })
})
