/** How one review ends: its events, its record in the journal, its lease and what it cost. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { begunReviewOf, dueReview, leaseOf, turnToRead } from '../../test/support/due-review.ts'
import { type SessionHomeChange, sessionHome } from '../../test/support/session-home.ts'
import { unwritableStorage } from '../../test/support/unwritable-storage.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { HomeReviews } from './home-reviews.ts'
import type { DueReview } from './review-request.ts'
import { type ReviewRunSettings, RunningReview } from './run-review.ts'

afterEach(() => {
  vi.useRealTimers()
})

const NOON = Date.UTC(2026, 0, 5, 12)
const clock = () => NOON

const NO_JOURNAL = { list: async () => ok([]) }

const superseded = () => err(new HermesError('superseded', 'Another review took over.'))
const broken = () => err(new HermesError('io', 'The disk is broken.'))

const answering =
  (...facts: readonly string[]): HostModel =>
  async () => ({
    text: JSON.stringify({
      proposals: facts.map((content) => ({ target: 'user', op: { action: 'add', content }, rationale: 'said', score: 0.9, evidence: [] })),
    }),
    usage: { inputTokens: 900, outputTokens: 100 },
  })

const CONVERSATION = [
  turnToRead('one', { role: 'user', text: 'I live in Oslo' }),
  { ...turnToRead('two', { role: 'user', text: 'I play the cello' }), readers: { words: false, everything: false, skills: true } },
  { ...turnToRead('three', { role: 'user', text: 'Look at this' }), readers: { words: false, everything: true, skills: false } },
]

interface Options {
  readonly due?: Partial<DueReview>
  readonly review?: Partial<Pick<HomeReviews, 'holding' | 'reading' | 'renew' | 'end'>>
  readonly settings?: Partial<ReviewRunSettings>
  readonly deps?: SessionHomeChange
  readonly storage?: StorageBackend
}

/** A lease of which the review hears in the update that writes what it has learned. */
const refusing = (refusal: ReturnType<typeof broken>) => ({
  reading: () => ({
    paths: ['sessions/.reviews.json'],
    plan: () => {
      throw refusal.error
    },
  }),
})

const open = ({ due, review: change, settings, deps, storage = inMemoryBackend() }: Options = {}) => {
  const costs: LearningCost[] = []
  const calling = new AbortController()
  const review = begunReviewOf(dueReview({ fence: 3, turns: 4, iterations: 5, conversation: CONVERSATION, ...due }))
  const { lease, ends } = leaseOf(change)
  const { home, events } = sessionHome({ storage, clock, ...deps })
  const run = () =>
    new RunningReview(home, lease, review, {
      model: answering('Lives in Oslo'),
      sessionId: undefined,
      calling,
      onCost: (cost) => costs.push(cost),
      ...settings,
    }).run()
  const records = async () => {
    const listed = await home.journal.list()
    return listed.ok ? listed.value.filter(({ op }) => op === undefined) : []
  }
  const typesOf = () => events.map(({ type }) => type)
  const failedOperations = () => events.flatMap((event) => (event.type === 'storage-failed' ? [event.operation] : []))
  return { run, events, typesOf, failedOperations, costs, calling, ends, records, storage }
}

const COST = { calls: 1, inputTokens: 900, outputTokens: 100 }
const REVIEW_ID = `3-${NOON.toString(36)}`

describe('a review that has read its turns', () => {
  it('is announced, ends its lease with its tokens, and says what it did and cost', async () => {
    const { run, events, costs, ends, records } = open()
    const ran = await run()
    expect(ran).toMatchObject({
      ok: true,
      value: { kind: 'reviewed', turns: 2, outcome: { applied: [{}], held: [], rejected: [], failed: [] } },
    })
    const about = { sessionId: 'three', at: NOON }
    expect(events).toMatchObject([
      { ...about, type: 'review-started', reviews: 'both', turns: 4, iterations: 5 },
      { ...about, type: 'review-finished', outcome: { applied: [{}] }, cost: COST },
    ])
    expect(ends).toEqual([['read', 1_000]])
    expect(costs).toMatchObject([COST])
    expect(await records()).toMatchObject([
      {
        actor: 'review',
        sessionId: 'three',
        review: REVIEW_ID,
        kind: 'review-finished',
        reason: 'Applied: 1, held: 0, rejected: 0, failed: 0.',
        cost: COST,
      },
    ])
    expect((await records())[0]).not.toHaveProperty('error')
  })

  it('belongs to the session that started it, or to none if it read none', async () => {
    const started = open({ settings: { sessionId: 'one' } })
    await started.run()
    expect(started.events).toMatchObject([{ sessionId: 'one' }, { sessionId: 'one' }])
    const alone = open({ due: { conversation: [] } })
    await alone.run()
    expect(alone.events).toMatchObject([{ sessionId: '' }, { sessionId: '' }])
  })

  it('has failed if another one took over before its end was saved', async () => {
    const { run, typesOf, records } = open({ review: refusing(superseded()) })
    expect(await run()).toMatchObject({ ok: false, error: { code: 'superseded' } })
    expect(typesOf()).toEqual(['review-started', 'review-failed'])
    expect(await records()).toMatchObject([{ kind: 'review-failed', error: { code: 'superseded' } }])
  })

  it('has failed if its end cannot be saved, with what it has learned', async () => {
    const { run, typesOf, storage } = open({ review: refusing(broken()) })
    expect(await run()).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(typesOf()).toEqual(['review-started', 'review-failed'])
    expect(await storage.list('memories')).toEqual(ok([]))
  })
})

describe('a review that fails', () => {

  it('is told in the journal before the next one reads, and asks no model if that cannot be written', async () => {
    const again = open({ due: { isRetry: true } })
    await again.run()
    const records = await again.records()
    expect(records.map(({ kind }) => kind)).toEqual(['review-retried', 'review-finished'])
    expect(records[0]?.reason).toBe('The last review of this home failed.')
    const occupied = new HermesError('occupied', 'The day is a folder.')
    const storage = unwritableStorage(
      inMemoryBackend(),
      (path) => path === 'journal/2026-01-05.jsonl',
      () => occupied,
    )
    const { run, costs, ends, typesOf } = open({ storage, due: { isRetry: true } })
    expect(await run()).toMatchObject({ ok: false, error: { code: 'occupied' } })
    expect([costs, ends]).toEqual([[], [['failed', 0]]])
    expect(typesOf()).toContain('review-failed')
  })

  it('by a time limit has failed, as nobody has cancelled it', async () => {
    const { run, ends } = open({ settings: { model: async () => Promise.reject(new HermesError('timeout', 'slow')) } })
    expect(await run()).toMatchObject({ ok: false })
    expect(ends).toMatchObject([['failed', expect.any(Number)]])
  })

  it('ends its lease even after a defect', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { run, ends } = open({
      deps: {
        reviewStores: () => {
          throw new Error('a defect')
        },
      },
    })
    await expect(run()).rejects.toThrow('a defect')
    expect(ends).toEqual([['failed', 0]])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a review that is cancelled', () => {
  /** Answers when its call is aborted. */
  const patient: HostModel = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })

  it('while its model answers gives its turns back', async () => {
    const { run, events, calling, ends, records, costs } = open({
      settings: {
        model: (request) => {
          calling.abort()
          return patient(request)
        },
      },
    })
    expect(await run()).toEqual(ok({ kind: 'stopped' }))
    expect(ends).toEqual([['stopped', costs[0]?.inputTokens]])
    expect(events).toMatchObject([{ type: 'review-started' }, { type: 'review-stopped', sessionId: 'three', at: NOON, cost: { calls: 1 } }])
    expect(await records()).toMatchObject([{ kind: 'review-stopped', reason: expect.stringContaining('cancelled') }])
  })

  it.each([
    ['closed', []],
    ['io', ['journal']],
  ] as const)('may find the journal closed, which is no failure: %s', async (code, operations) => {
    const { run, calling, failedOperations } = open({
      deps: { journal: { ...NO_JOURNAL, append: async () => err(new HermesError(code, 'not written')) } },
      settings: {
        model: (request) => {
          calling.abort()
          return patient(request)
        },
      },
    })
    await run()
    expect(failedOperations()).toEqual(operations)
  })

  it.each(['cancelled', 'superseded'])('while its last update is written has read its turns: %s', async (why) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const base = inMemoryBackend()
    const storage: StorageBackend = {
      ...base,
      async update(paths, plan, options) {
        if (paths.includes('sessions/.reviews.json')) {
          if (why === 'cancelled') calling.abort()
          await vi.advanceTimersByTimeAsync(20_000)
        }
        return base.update(paths, plan, options)
      },
    }
    const { run, calling, ends, typesOf } = open({ storage, review: { renew: async () => superseded() } })
    expect(await run()).toMatchObject({ ok: true, value: { kind: 'reviewed', outcome: { applied: [{}] } } })
    expect(ends).toEqual([['read', 1_000]])
    expect(typesOf()).toEqual(['review-started', 'review-finished'])
  })
})

describe('the lease of a running review', () => {
  const thirdOfLease = 20_000

  const renewing = (renew: HomeReviews['renew']) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let answer = () => {}
    let begun = () => {}
    const isAsked = new Promise<void>((resolve) => {
      begun = resolve
    })
    let times = 0
    const home = open({
      review: {
        renew: (review) => {
          times++
          return renew(review)
        },
      },
      settings: {
        model: (request) =>
          new Promise((resolve, reject) => {
            answer = () => resolve(answering('Lives in Oslo')(request))
            request.signal.addEventListener('abort', () => reject(new Error('aborted')))
            begun()
          }),
      },
    })
    return { ...home, isAsked, answer: () => answer(), times: () => times }
  }

  it('is renewed three times a minute, and not after its end', async () => {
    const { run, isAsked, answer, times } = renewing(async () => ok({ until: 0 }))
    const running = run()
    await isAsked
    await vi.advanceTimersByTimeAsync(thirdOfLease - 1)
    expect(times()).toBe(0)
    await vi.advanceTimersByTimeAsync(1 + 2 * thirdOfLease)
    expect(times()).toBe(3)
    answer()
    expect(await running).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
    await vi.advanceTimersByTimeAsync(thirdOfLease)
    expect(times()).toBe(3)
  })

  it('if lost to another one cancels the review, which has failed', async () => {
    const { run, isAsked, typesOf, ends } = renewing(async () => superseded())
    const running = run()
    await isAsked
    await vi.advanceTimersByTimeAsync(thirdOfLease)
    expect(await running).toMatchObject({ ok: false, error: { code: 'superseded' } })
    expect(typesOf()).toEqual(['review-started', 'review-failed'])
    expect(ends).toMatchObject([['stopped', expect.any(Number)]])
  })

  it('if it cannot be renewed is a failure of the storage, and the review goes on', async () => {
    const { run, isAsked, answer, events } = renewing(async () => broken())
    const running = run()
    await isAsked
    await vi.advanceTimersByTimeAsync(thirdOfLease)
    answer()
    expect(await running).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
    expect(events[1]).toMatchObject({
      type: 'storage-failed',
      sessionId: 'three',
      at: NOON,
      operation: 'renew review',
      error: { code: 'io' },
    })
  })
})
