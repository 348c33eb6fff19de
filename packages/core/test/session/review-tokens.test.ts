/**
 * The cost of reviews in tokens, estimated by `model/token-estimate.ts`: all review requests and answers, compared with all that the host sent, which is the system
 * block, the whole history and the answer of each model call.
 */
import { describe, expect, it } from 'vitest'
import type { HostModelRequest } from '../../src/model/host-model.ts'
import { estimateTokens } from '../../src/model/token-estimate.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { openHome } from './open-home.ts'
import { countingHost, countingModel, textOf, wordsOf } from './token-counts.ts'

/** In sessions with external text, each review has two passes, the own words first. */
const ofFirstPasses = (requests: readonly HostModelRequest[]) => requests.filter((_, at) => at % 2 === 0)

const open = async (storage = inMemoryBackend()) => {
  const { hermes, events } = openHome(storage)
  const session = hermes.session('one')
  session.offerTools()
  const reviewer = countingModel()
  return { hermes, events, session, reviewer, host: await countingHost(hermes, session, reviewer.model) }
}

const ofReviews = (events: Awaited<ReturnType<typeof open>>['events']) =>
  events.flatMap((event) => (event.type === 'review-started' ? [event.reviews] : []))

/** Ten turns, each with three to five tool calls with results of 800 tokens. */
const workTenTurns = async ({ host }: Pick<Awaited<ReturnType<typeof open>>, 'host'>) => {
  for (let turn = 0; turn < 10; turn++) {
    const results = Array.from({ length: 3 + (turn % 3) }, (_, at) => wordsOf(800, 100 + turn * 10 + at))
    await host.turn(wordsOf(60, turn), results, wordsOf(120, 50 + turn))
  }
}

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

describe('ten turns of work with tools', () => {
  it('cost at most 10 % of what was sent, and at most 2,500 tokens for each pass over the own words', async () => {
    const seen = await open()
    await workTenTurns(seen)
    const { reviewer, host, events } = seen
    expect(ofReviews(events)).toContain('skills')
    for (const request of ofFirstPasses(reviewer.requests)) expect(estimateTokens(textOf(request))).toBeLessThanOrEqual(2_500)
    expect(reviewer.total() / host.sent()).toBeLessThanOrEqual(0.1)
  })
})
