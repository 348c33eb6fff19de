/** Limits on the cost of learning: a share of the host's tokens, tokens a day, and what happens above them. */
import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome, user } from './open-home.ts'

const HOUR = 3_600_000
const usage = { inputTokens: 900, outputTokens: 100 }
const model: HostModel = async () => ({ text: '{"proposals": []}', usage, model: 'small-1' })

/** `perTurn`: tokens that the host spends on a turn. */
const openAt = (
  review: NonNullable<HermesOptions['review']>,
  { storage = inMemoryBackend(), perTurn = 1_000 }: { storage?: StorageBackend; perTurn?: number } = {},
) => {
  let now = Date.UTC(2026, 0, 5, 9)
  const { hermes, events } = openHome(storage, { review, nudge: { skillInterval: 0 }, clock: () => now++ })
  const talk = async (turns: number, id = 'one', asked: HostModel = model) => {
    for (let turn = 0; turn < turns; turn++) {
      hermes
        .session(id)
        .recordTurn({ messages: [user(`said ${now}`)], usage: { inputTokens: perTurn - 10, outputTokens: 10 }, model: asked })
      await hermes.settled()
    }
  }
  const countOf = (type: string) => events.filter((event) => event.type === type).length
  const waits = () => events.flatMap((event) => (event.type === 'review-waits' ? [`${event.reason} ${event.turns}`] : []))
  return { hermes, events, talk, countOf, waits, pass: (ms: number) => (now += ms) }
}

describe('review.budget', () => {
  it('lets reviews run as they fall due if they take less than their share', async () => {
    const { talk, countOf, waits } = openAt({ budget: 0.2 })
    await talk(40)
    expect(countOf('review-finished')).toBe(4)
    expect(waits()).toEqual([])
  })

  it('has a due review wait for three intervals at most, and says so once for each', async () => {
    const { talk, countOf, waits } = openAt({ budget: 0.01 })
    await talk(10)
    expect(countOf('review-finished')).toBe(1)
    await talk(39)
    expect(countOf('review-finished')).toBe(1)
    expect(waits()).toEqual(['budget 10', 'budget 20', 'budget 30'])
    await talk(1)
    expect(countOf('review-finished')).toBe(2)
  })

  it('counts what the calls of an adapter took, as the provider says', async () => {
    const { hermes, countOf, waits } = openAt({ budget: 0.1 })
    for (let turn = 0; turn < 20; turn++) {
      const prompt = [user(`said ${turn}`)]
      hermes.session(`chat ${turn}`).beginStep(prompt)
      const reply = [{ role: 'assistant' as const, text: 'Fine.' }]
      const step = { prompt, reply, turnFinished: true, calledTools: false, model, usage: { inputTokens: 990, outputTokens: 10 } }
      hermes.session(`chat ${turn}`).endStep(step)
      await hermes.settled()
    }
    expect(countOf('review-finished')).toBe(2)
    expect(waits()).toEqual([])
  })

  it('does not limit the requests of a person', async () => {
    const { hermes, talk } = openAt({ budget: 0.0001 })
    await talk(13)
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
  })
})

describe('review.maxTokensPerDay', () => {
  it('lets reviews wait for the next day, whoever asks, in whichever process', async () => {
    const storage = inMemoryBackend()
    const { hermes, talk, countOf, waits, pass } = openAt({ maxTokensPerDay: 1_500 }, { storage })
    await talk(20)
    expect(countOf('review-finished')).toBe(1)
    expect(waits()).toEqual(['tokens-per-day 10'])
    expect(await hermes.review({ model })).toEqual({ ok: true, value: { kind: 'waits', reason: 'tokens-per-day' } })
    expect(await openAt({ maxTokensPerDay: 1_500 }, { storage }).hermes.review({ model })).toMatchObject({ value: { kind: 'waits' } })
    pass(24 * HOUR)
    await talk(1)
    expect(countOf('review-finished')).toBe(2)
  })
})

describe('reviews that fail', () => {
  const failing: HostModel = async () => {
    throw new Error('no credit')
  }

  it('pause after three in a row, say so, and continue by themselves after an hour', async () => {
    const { talk, countOf, waits, events, pass } = openAt({})
    await talk(30, 'one', failing)
    expect(countOf('review-failed')).toBe(3)
    expect(events.filter(({ type }) => type === 'learning-paused')).toMatchObject([{ failures: 3, until: expect.any(Number) }])
    await talk(12)
    expect(countOf('review-started')).toBe(3)
    expect(waits()).toEqual(['breaker 40'])
    pass(HOUR)
    await talk(1)
    expect(countOf('review-finished')).toBe(1)
  })

  it('do not refuse a person, whose review ends the pause', async () => {
    const { hermes, talk, countOf } = openAt({})
    await talk(30, 'one', failing)
    expect(await hermes.review({ model })).toMatchObject({ value: { kind: 'reviewed', turns: 30 } })
    await talk(10)
    expect(countOf('review-finished')).toBe(2)
  })
})
