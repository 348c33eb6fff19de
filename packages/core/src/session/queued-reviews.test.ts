import { inMemoryReviewQueue } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import type { AskedReview } from '../nudge/decide-review.ts'
import { EMPTY_REVIEW_STATE, IDLE_AFTER_MS } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ReviewTimes } from './home-reviews.ts'
import type { BeginAnswer, BegunReview, ReviewOccasion } from './review-request.ts'
import { Reviews } from './reviews.ts'

const NOW = 100 * 86_400_000
const broken = err(new HermesError('io', 'The disk does not answer.'))
const due = (fence = 1): BeginAnswer => ({ kind: 'due', fence })
const nothing = (unreadTurns: number): BeginAnswer => ({ kind: 'nothing-due', unreadTurns })
const waits: BeginAnswer = { kind: 'waits', reason: 'budget', turns: 10, intervals: 1, isFirstReport: false }
const begun: BeginAnswer = { kind: 'begun', review: {} as BegunReview }

type Answer = AskedReview['answer']
const START: Answer = { kind: 'start', scope: { words: true, everything: true, skills: false }, turns: 10, iterations: 0 }

/** `home.answer`: what the home says is due; `home.now`: the clock. */
const setUp = ({
  times = ok<ReviewTimes>({ idleAt: NOW, pausedUntil: undefined, isReviewing: false }) as Result<ReviewTimes>,
  restored = ok(undefined) as Result<void>,
} = {}) => {
  const home: { answer: Result<BeginAnswer>; now: number; isAway: boolean } = { answer: ok(due()), now: NOW, isAway: false }
  const added: string[] = []
  const asked: string[] = []
  const queue = inMemoryReviewQueue()
  const { home: of, events } = sessionHome({ clock: () => home.now, options: { minTurns: 3 } })
  const reviews = new Reviews(of, {
    ...queue,
    add: async ({ kind, dueAt }) => {
      if (home.isAway) return broken
      added.push(`${kind} ${dueAt - NOW}`)
      return ok(undefined)
    },
  })
  Object.assign(reviews.ofHome, {
    begin: async ({ why, isQueued = false }: ReviewOccasion) => {
      asked.push(isQueued ? why : `${why} here`)
      return home.answer
    },
    restore: async () => restored,
    times: async () => times,
  })
  const failures = () => events.flatMap((event) => (event.type === 'storage-failed' ? [`${event.operation}: ${event.error.code}`] : []))
  const turn = async (answer: Answer, fence = 1) => {
    const work = await reviews.turnSaved(
      { state: { ...EMPTY_REVIEW_STATE, fence }, answer, isFirstReport: false, before: undefined },
      {},
      {},
    )
    await work?.()
  }
  const addMissing = () => reviews.tend(new AbortController().signal)
  return { home, reviews, turn, addMissing, added, failures, asked }
}

describe('after a turn', () => {
  it.each<[string, Answer, readonly string[]]>([
    ['a due review', START, ['turns 0']],
    ['a due review while another one runs', { kind: 'busy' }, ['turns 0']],
    ['a due review that waits', { kind: 'waits', reason: 'budget', turns: 10, intervals: 1 }, [`idle ${IDLE_AFTER_MS}`]],
    ['enough unread turns for an idle home', { kind: 'nothing-due', unreadTurns: 3 }, [`idle ${IDLE_AFTER_MS}`]],
    ['too few unread turns', { kind: 'nothing-due', unreadTurns: 2 }, []],
  ])('%s is added as it is due, and none begins here', async (_, answer, wanted) => {
    const { turn, asked, added } = setUp()
    await turn(answer)
    expect(added).toEqual(wanted)
    expect(asked).toEqual([])
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
      await turn(START, fence)
    }
    const half = `turns ${IDLE_AFTER_MS}`
    expect(added).toEqual(['turns 0', half, half, `turns ${IDLE_AFTER_MS - 1}`])
  })

  it('adds the idle home once until then, and again if the clock was set back', async () => {
    const { home, turn, added } = setUp()
    for (const ms of [0, 0, 1, IDLE_AFTER_MS - 1, IDLE_AFTER_MS, IDLE_AFTER_MS - 1]) {
      home.now = NOW + ms
      await turn({ kind: 'nothing-due', unreadTurns: 3 })
    }
    expect(added).toEqual([IDLE_AFTER_MS, 2 * IDLE_AFTER_MS, 2 * IDLE_AFTER_MS - 1].map((ms) => `idle ${ms}`))
  })

  it.each<[Answer, string]>([
    [START, 'turns 0'],
    [{ kind: 'nothing-due', unreadTurns: 3 }, `idle ${IDLE_AFTER_MS}`],
  ])('adds at the next turn what the queue did not take', async (answer, wanted) => {
    const { home, turn, added, failures } = setUp()
    home.isAway = true
    await turn(answer)
    expect(failures()).toEqual(['queue review: io'])
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
    const { home, reviews, added } = setUp()
    home.answer = answer
    expect(await reviews.review(end, {})).toEqual(wanted)
    expect(added).toEqual(answer.ok && answer.value.kind === 'due' ? ['end 0'] : [])
  })

  it('runs here if the host asks for it, and is not queued if it is invalid or cancelled', async () => {
    const { home, reviews, asked, added } = setUp()
    home.answer = ok(nothing(2))
    const model = async () => ''
    expect(await reviews.review({ why: 'request' }, { model })).toEqual(ok(nothing(2)))
    expect(await reviews.review({ ...end, minTurns: 0 }, { model })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(await reviews.review(end, { model, signal: AbortSignal.abort() })).toEqual(ok({ kind: 'stopped' }))
    expect(asked).toEqual(['request here'])
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
    const { home, addMissing, asked, added, failures } = setUp()
    home.answer = ok(answer)
    await addMissing()
    expect(added).toEqual(wanted)
    expect(asked).toEqual(['turn'])
    expect(failures()).toEqual([])
  })

  it('adds nothing for a home without turns, or one that cannot say what is due', async () => {
    const { home, addMissing, added } = setUp({ times: ok({ idleAt: undefined, pausedUntil: undefined, isReviewing: false }) })
    home.answer = ok(waits)
    await addMissing()
    home.answer = broken
    await addMissing()
    expect(added).toEqual([])
  })
})
