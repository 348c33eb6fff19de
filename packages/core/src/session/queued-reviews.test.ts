import { inMemoryReviewQueue } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import type { AskedReview } from '../nudge/decide-review.ts'
import { EMPTY_REVIEW_STATE, IDLE_AFTER_MS } from '../nudge/review-state.ts'
import type { QueuedReviewKind } from '../queue/review-queue.ts'
import { emptyOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ReviewTimes } from './home-reviews.ts'
import type { BeginAnswer, ReviewOccasion, ReviewRun } from './review-request.ts'
import { Reviews } from './reviews.ts'
import { retryDelayMs, workReview } from './work-review.ts'

const NOW = 100 * 86_400_000
const broken = err(new HermesError('io', 'The disk does not answer.'))
const due = (fence = 1): BeginAnswer => ({ kind: 'due', fence })
const nothing = (unreadTurns: number): BeginAnswer => ({ kind: 'nothing-due', unreadTurns })
const waits: BeginAnswer = { kind: 'waits', reason: 'budget', turns: 10, intervals: 1, isFirstReport: false }

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
})

describe('a review at the end of a session', () => {
  const end = { why: 'end' } as const

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

describe('work review', () => {
  const MINUTE = 60_000
  const DAY = 24 * 60 * MINUTE
  const NOW = 10 * DAY + 8 * 60 * MINUTE
  const quiet: ReviewTimes = { idleAt: undefined, pausedUntil: undefined, isReviewing: false }
  const reviewed: ReviewRun = { kind: 'reviewed', turns: 4, outcome: emptyOutcome() }

  interface World {
    readonly kind?: QueuedReviewKind
    readonly attempts?: number
    readonly ran?: Result<ReviewRun>
    readonly times?: Result<ReviewTimes>
  }

  /** Works on one claim: its end, its outcome, and what the home was asked for. */
  const work = async ({ kind = 'turns', attempts = 1, ran = ok(reviewed), times = ok(quiet) }: World) => {
    const asked: Partial<ReviewOccasion>[] = []
    const review = async (occasion: Partial<ReviewOccasion>) => {
      asked.push(occasion)
      return ran
    }
    const claim = { kind, attempts, dueAt: NOW, fence: 1 }
    const deps = { runner: { runNow: review }, reviews: { times: async () => times }, clock: () => NOW }
    const done = await workReview(claim, new AbortController().signal, deps)
    return { end: done.end, outcome: done.work.outcome, asked }
  }

  describe('a claimed review', () => {
    it.each<[QueuedReviewKind, number, Partial<ReviewOccasion>]>([
      ['turns', 1, { why: 'turn' }],
      // The failed review has used up the count.
      ['turns', 2, { why: 'end' }],
      ['end', 1, { why: 'end', minTurns: 1 }],
      ['end', 2, { why: 'end', minTurns: 1 }],
      ['idle', 1, { why: 'turn' }],
    ])('for %s, attempt %i, asks the home for what is due', async (kind, attempts, wanted) => {
      expect((await work({ kind, attempts })).asked).toEqual([wanted])
    })

    it('is done once its turns were read, or none are due', async () => {
      expect(await work({})).toMatchObject({ end: 'done', outcome: reviewed })
      const ran = ok({ kind: 'nothing-due', unreadTurns: 1 } as const)
      expect(await work({ ran })).toMatchObject({ end: 'done', outcome: { kind: 'nothing-due' } })
    })

    it('of an idle home waits until the home is idle, and reviews it from that moment on', async () => {
      const idleAt = NOW + MINUTE
      const early = await work({ kind: 'idle', times: ok({ ...quiet, idleAt }) })
      expect(early).toEqual({
        end: { againAt: idleAt, failed: false },
        outcome: { kind: 'postponed', reason: 'active', until: idleAt },
        asked: [],
      })
      expect((await work({ kind: 'idle', times: ok({ ...quiet, idleAt: NOW }) })).outcome).toEqual(reviewed)
    })

    const superseded = err(new HermesError('superseded', 'Another review took over.'))
    const waits = (reason: 'budget' | 'breaker' | 'tokens-per-day') => ok({ kind: 'waits', reason } as const)
    const paused = (pausedUntil: number) => ok({ ...quiet, pausedUntil })
    it.each<[string, World, string, number]>([
      ['another one is running', { ran: ok({ kind: 'busy' }) }, 'busy', 15_000],
      ['another one took over', { ran: superseded }, 'busy', 15_000],
      [
        'another one has its turns',
        { ran: ok({ kind: 'nothing-due', unreadTurns: 0 }), times: ok({ ...quiet, isReviewing: true }) },
        'busy',
        15_000,
      ],
      ['it was cancelled', { ran: ok({ kind: 'stopped' }) }, 'stopped', 1_000],
      ['the tokens of the day are spent', { ran: waits('tokens-per-day') }, 'tokens-per-day', 16 * 60 * MINUTE],
      ['the share of tokens is spent', { ran: waits('budget'), times: paused(NOW + DAY) }, 'budget', 30 * MINUTE],
      ['learning is paused', { ran: waits('breaker'), times: paused(NOW + 5) }, 'breaker', 5],
      ['the pause ends now', { ran: waits('breaker'), times: paused(NOW) }, 'breaker', 30 * MINUTE],
      ['the end of the pause is not known', { ran: waits('breaker') }, 'breaker', 30 * MINUTE],
      ['the end of the pause cannot be read', { ran: waits('breaker'), times: broken }, 'breaker', 30 * MINUTE],
    ])('is due again later if %s, and a retry remains one', async (_, world, reason, ms) => {
      const outcome = { kind: 'postponed', reason, until: NOW + ms }
      expect(await work(world)).toMatchObject({ end: { againAt: NOW + ms, failed: false }, outcome })
      expect(await work({ ...world, attempts: 2 })).toMatchObject({ end: { againAt: NOW + ms, failed: true }, outcome })
    })

    it.each<[string, World]>([
      ['the review failed', { ran: broken }],
      ['the storage does not say whether another one runs', { ran: ok({ kind: 'nothing-due', unreadTurns: 0 }), times: broken }],
      ['the storage does not say when the home is idle', { kind: 'idle', times: broken }],
    ])('is tried again, later each time, if %s', async (_, world) => {
      for (const attempts of [1, 3]) {
        const until = NOW + retryDelayMs(attempts)
        const { end, outcome } = await work({ ...world, attempts })
        expect({ end, outcome }).toEqual({ end: { againAt: until, failed: true }, outcome: { kind: 'failed', error: broken.error, until } })
      }
    })

    it('can be cancelled, and costs what all its model calls cost', async () => {
      const cost = { calls: 1, inputTokens: 10, cachedInputTokens: 0, outputTokens: 2, estimated: false, durationMs: 5 }
      const stopping = new AbortController()
      const review: Parameters<typeof workReview>[2]['runner']['runNow'] = async (_, { signal, onCost }) => {
        stopping.abort()
        for (const each of [cost, cost]) onCost?.(each)
        return ok(signal?.aborted ? { kind: 'stopped' } : reviewed)
      }
      const deps = { runner: { runNow: review }, reviews: { times: async () => ok(quiet) }, clock: () => NOW }
      const { work: done } = await workReview({ kind: 'end', attempts: 1, dueAt: NOW, fence: 1 }, stopping.signal, deps)
      expect(done).toMatchObject({
        outcome: { kind: 'postponed', reason: 'stopped' },
        cost: { calls: 2, inputTokens: 20, outputTokens: 4 },
      })
      const none = { ...deps, runner: { runNow: async () => ok(reviewed) } }
      expect((await workReview({ kind: 'end', attempts: 1, dueAt: NOW, fence: 1 }, stopping.signal, none)).work.cost).toBeUndefined()
    })

    it('of an active home starts its retries anew', async () => {
      const idleAt = NOW + MINUTE
      expect((await work({ kind: 'idle', attempts: 3, times: ok({ ...quiet, idleAt }) })).end).toEqual({ againAt: idleAt, failed: false })
    })
  })

  it('waits half a minute before the first retry, twice as long before each other, and an hour at most', () => {
    expect([0, 1, 2, 3, 7, 8, 1_000].map((attempts) => retryDelayMs(attempts) / 1_000)).toEqual([30, 30, 60, 120, 1_920, 3_600, 3_600])
  })
})
