import { describe, expect, it } from 'vitest'
import { IDLE_AFTER_MS } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryReviewQueue } from '../testing/in-memory-review-queue.ts'
import type { BegunReview } from './begun-review.ts'
import type { BeginAnswer, ReviewTimes } from './home-reviews.ts'
import { queuedReviews } from './queued-reviews.ts'
import type { ReviewRunner } from './review-runner.ts'

const NOW = 100 * 86_400_000
const broken = err(new HermesError('io', 'The disk does not answer.'))
const due = (fence = 1): BeginAnswer => ({ kind: 'due', fence })
const nothing = (unreadTurns: number): BeginAnswer => ({ kind: 'nothing-due', unreadTurns })
const waits: BeginAnswer = { kind: 'waits', reason: 'budget', turns: 10, intervals: 1, isFirstReport: false }
const begun: BeginAnswer = { kind: 'begun', review: {} as BegunReview }

/** `home.answer`: what the home says is due; `home.now`: the clock. */
const setUp = ({
  times = ok<ReviewTimes>({ idleAt: NOW, pausedUntil: undefined, isReviewing: false }) as Result<ReviewTimes>,
  found = ok(undefined) as Result<void>,
} = {}) => {
  const home: { answer: Result<BeginAnswer>; now: number; isAway: boolean } = { answer: ok(due()), now: NOW, isAway: false }
  const added: string[] = []
  const failures: string[] = []
  const asked: string[] = []
  const ran: string[] = []
  const runner: ReviewRunner = {
    ask: async ({ why }) => {
      asked.push(why)
      return home.answer
    },
    review: async ({ why }) => {
      ran.push(why)
      return ok({ kind: 'no-model' })
    },
    turnsSaved: async () => undefined,
    newestModel: async () => 'the model of the newest turn',
    stopped: true,
    interrupt: () => {},
    stop: () => {},
  }
  const queue = inMemoryReviewQueue()
  const reviews = queuedReviews({
    queue: {
      ...queue,
      add: async ({ kind, dueAt }) => {
        if (home.isAway) return broken
        added.push(`${kind} ${dueAt - NOW}`)
        return ok(undefined)
      },
    },
    owner: undefined,
    runner,
    reviews: { findUnread: async () => found, times: async () => times },
    minTurns: 3,
    clock: () => home.now,
    failed: (error, operation) => failures.push(`${operation}: ${error.code}`),
  })
  const turn = async (answer: BeginAnswer) => {
    home.answer = ok(answer)
    await (await reviews.turnsSaved({}, {}))?.()
  }
  return { home, reviews, runner, turn, added, failures, asked, ran }
}

describe('after a turn', () => {
  it.each<[string, BeginAnswer, readonly string[]]>([
    ['a due review', due(), ['turns 0']],
    ['a due review that waits', waits, [`idle ${IDLE_AFTER_MS}`]],
    ['enough unread turns for an idle home', nothing(3), [`idle ${IDLE_AFTER_MS}`]],
    ['too few unread turns', nothing(2), []],
    ['a review that has begun', begun, []],
    ['another review that runs', { kind: 'busy' }, []],
  ])('%s is added as it is due', async (_, answer, wanted) => {
    const { turn, asked, added } = setUp()
    await turn(answer)
    expect(added).toEqual(wanted)
    expect(asked).toEqual(['turn'])
  })

  it('adds nothing if the home cannot say what is due', async () => {
    const { home, reviews } = setUp()
    home.answer = broken
    expect(await reviews.turnsSaved({}, {})).toBeUndefined()
  })

  it('adds a due review once for each review of the home, and again half an hour later or if the clock was set back', async () => {
    const { home, turn, added } = setUp()
    for (const [fence, ms] of [
      [1, 0],
      [1, IDLE_AFTER_MS - 1],
      [1, IDLE_AFTER_MS],
      [2, IDLE_AFTER_MS],
      [2, IDLE_AFTER_MS - 1],
      [2, IDLE_AFTER_MS - 1],
    ] as const) {
      home.now = NOW + ms
      await turn(due(fence))
    }
    const half = `turns ${IDLE_AFTER_MS}`
    expect(added).toEqual(['turns 0', half, half, `turns ${IDLE_AFTER_MS - 1}`])
  })

  it('adds the idle home once until then, and again if the clock was set back', async () => {
    const { home, turn, added } = setUp()
    for (const ms of [0, 0, 1, IDLE_AFTER_MS - 1, IDLE_AFTER_MS, IDLE_AFTER_MS - 1]) {
      home.now = NOW + ms
      await turn(nothing(3))
    }
    expect(added).toEqual([IDLE_AFTER_MS, 2 * IDLE_AFTER_MS, 2 * IDLE_AFTER_MS - 1].map((ms) => `idle ${ms}`))
  })

  it.each<[BeginAnswer, string]>([
    [due(), 'turns 0'],
    [nothing(3), `idle ${IDLE_AFTER_MS}`],
  ])('adds at the next turn what the queue did not take', async (answer, wanted) => {
    const { home, turn, added, failures } = setUp()
    home.isAway = true
    await turn(answer)
    expect(failures).toEqual(['queue review: io'])
    home.isAway = false
    await turn(answer)
    expect(added).toEqual([wanted])
  })
})

describe('a review at the end of a session', () => {
  const end = { why: 'end' } as const

  it.each<[string, Result<BeginAnswer>, unknown]>([
    ['is due', ok(due()), ok({ kind: 'queued' })],
    ['has begun elsewhere', ok(begun), ok({ kind: 'busy' })],
    ['waits', ok(waits), ok({ kind: 'waits', reason: 'budget' })],
    ['is not due', ok(nothing(2)), ok(nothing(2))],
    ['may be due, but the home cannot say so', broken, broken],
  ])('that %s', async (_, answer, wanted) => {
    const { home, reviews, added, ran } = setUp()
    home.answer = answer
    expect(await reviews.review(end, {})).toEqual(wanted)
    expect(added).toEqual(answer.ok && answer.value.kind === 'due' ? ['end 0'] : [])
    expect(ran).toEqual([])
  })

  it('fails if the queue does not take it', async () => {
    const { home, reviews } = setUp()
    home.isAway = true
    expect(await reviews.review(end, {})).toEqual(broken)
  })

  it('runs here if the host asks for it, and the runner answers what is invalid or cancelled', async () => {
    const { reviews, ran, added } = setUp()
    await reviews.review({ why: 'request' }, {})
    await reviews.review({ ...end, minTurns: 0 }, {})
    await reviews.review(end, { signal: AbortSignal.abort() })
    expect(ran).toEqual(['request', 'end', 'end'])
    expect(added).toEqual([])
  })
})

describe('upkeep', () => {
  it.each<[string, BeginAnswer, readonly string[]]>([
    ['a due review', due(), ['turns 0']],
    ['an idle home', nothing(3), ['idle 0']],
    ['a home whose review waits', waits, ['idle 0']],
    ['nothing for too few turns', nothing(2), []],
  ])('adds %s', async (_, answer, wanted) => {
    const { home, reviews, asked, added, failures } = setUp()
    home.answer = ok(answer)
    await reviews.addMissing()
    expect(added).toEqual(wanted)
    expect(asked).toEqual(['turn'])
    expect(failures).toEqual([])
  })

  it('reports what it cannot find out, and adds what it can', async () => {
    const unread = setUp({ found: broken })
    await unread.reviews.addMissing()
    expect([unread.failures, unread.added]).toEqual([['find due reviews: io'], ['turns 0']])
    const unknown = setUp({ times: broken })
    unknown.home.answer = ok(nothing(3))
    await unknown.reviews.addMissing()
    expect([unknown.failures, unknown.added]).toEqual([['find due reviews: io'], []])
  })

  it('adds nothing for a home without turns, or one that cannot say what is due', async () => {
    const { home, reviews, added } = setUp({ times: ok({ idleAt: undefined, pausedUntil: undefined, isReviewing: false }) })
    home.answer = ok(waits)
    await reviews.addMissing()
    home.answer = broken
    await reviews.addMissing()
    expect(added).toEqual([])
  })
})

it('says of the runner what the runner says', () => {
  const { reviews, runner } = setUp()
  expect([reviews.newestModel, reviews.stopped]).toEqual([runner.newestModel, true])
})
