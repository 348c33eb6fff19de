import { describe, expect, it } from 'vitest'
import { LEASE_MS, MAX_FAILURES, PAUSE_MS, type ReviewFate, startReview, withoutReview } from '../nudge/review-lease.ts'
import { EMPTY_REVIEW_STATE, noteSession, type ReviewState, type SavedCounts } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { begunReview } from './begun-review.ts'
import type { DueReview } from './due-review.ts'
import { type ReviewStateStore, reviewStateStore } from './review-state-store.ts'

const AT = 1_000_000
const scope = { words: true, everything: true, skills: true }
const marks = { words: 3, everything: 3, skills: 3 }
const full = err(new HermesError('no_space', 'The disk is full.'))

const saved = (id: string): SavedCounts => ({
  id,
  createdAt: 1,
  turns: 3,
  iterations: 0,
  updatedAt: AT,
  asked: { turns: 0, iterations: 0 },
  read: { words: 0, everything: 0, skills: 0 },
  kept: 3,
})

/** A home with the sessions `a` and `b` and a review, begun at `AT`, that reads `a`. `times.now` is the clock. */
const setUp = async ({ broken = {}, failures = 0 }: { readonly broken?: Partial<ReviewStateStore>; readonly failures?: number } = {}) => {
  const times = { now: AT }
  const clock = () => times.now
  const state = reviewStateStore({ storage: inMemoryBackend(), clock, onBroken: () => {} })
  const before = ['a', 'b'].reduce((home, id) => noteSession(home, saved(id), AT), { ...EMPTY_REVIEW_STATE, failures })
  await state.update(() => startReview(before, scope, AT))
  const cleared: string[] = []
  const review = begunReview({ fence: 1, scope } as DueReview, new Map([['a', marks]]), {
    state: { ...state, ...broken },
    clock,
    clear: async (readings) => {
      cleared.push(...readings.map(({ id, read }) => `${id} to ${read.words}`))
    },
  })
  const stored = async (): Promise<ReviewState | undefined> => {
    const read = await state.read()
    return read.ok ? read.value : undefined
  }
  return { times, state, review, cleared, stored }
}

/** Another process starts a review of its own. */
const takeOver = (state: ReviewStateStore) => state.update((home) => startReview(withoutReview(home), scope, AT))

describe('the lease of a review', () => {
  it('lasts a minute, and is extended only once it has expired', async () => {
    const { times, review } = await setUp()
    expect(await review.mayWrite()).toEqual(ok({ until: AT + LEASE_MS }))
    times.now = AT + LEASE_MS
    expect(await review.mayWrite()).toEqual(ok({ until: AT + LEASE_MS }))
    times.now += 1
    expect(await review.mayWrite()).toEqual(ok({ until: times.now + LEASE_MS }))
  })

  it('is extended by a minute from now', async () => {
    const { times, review, stored } = await setUp()
    times.now += 40_000
    expect(await review.renew()).toEqual(ok(undefined))
    expect((await stored())?.review?.until).toBe(AT + 40_000 + LEASE_MS)
  })

  it.each([
    ['taken over', takeOver],
    ['cancelled', (state: ReviewStateStore) => state.update(withoutReview)],
  ])('is lost once the review was %s: it writes nothing more, and its end changes nothing', async (_, lose) => {
    const { state, review, cleared, stored } = await setUp()
    await lose(state)
    const after = await stored()
    const lost = { ok: false, error: { code: 'superseded' } }
    expect(await review.mayWrite()).toMatchObject(lost)
    expect(await review.renew()).toMatchObject(lost)
    expect(await review.end('read', 10)).toMatchObject(lost)
    expect(cleared).toEqual([])
    expect(await stored()).toEqual(after)
  })

  it('is lost if another review takes over while it is being extended', async () => {
    const found = { fence: 1, until: AT, scope, asked: [] }
    const { times, state, review } = await setUp({ broken: { readReview: async () => ok(found) } })
    times.now = AT + LEASE_MS + 1
    await takeOver(state)
    expect(await review.mayWrite()).toMatchObject({ ok: false, error: { code: 'superseded' } })
  })

  it('fails as the storage does, which is no reason to give the review up', async () => {
    const { times, review } = await setUp({ broken: { update: async () => full } })
    times.now = AT + LEASE_MS + 1
    expect(await review.mayWrite()).toEqual(full)
    expect(await review.renew()).toEqual(full)
    expect(await review.end('read', 10)).toEqual(full)
    const unreadable = await setUp({ broken: { readReview: async () => full } })
    expect(await unreadable.review.mayWrite()).toEqual(full)
  })
})

describe('the end of a review', () => {
  it.each<[ReviewFate, readonly string[]]>([
    ['read', ['a to 3']],
    ['failed', []],
    ['stopped', []],
  ])('removes text only of the sessions that it has read: %s', async (fate, wanted) => {
    const { review, cleared } = await setUp()
    expect(await review.end(fate, 10)).toEqual(ok({}))
    expect(cleared).toEqual(wanted)
  })

  it('reports the failure that pauses learning, and not a cancelled review in the pause', async () => {
    const failures = MAX_FAILURES - 1
    const { times, state, review, stored } = await setUp({ failures })
    times.now += 5
    const until = AT + 5 + PAUSE_MS
    expect(await review.end('failed', 10)).toEqual(ok({ paused: { failures: MAX_FAILURES, until } }))
    await state.update((home) => startReview({ ...home, fence: 0 }, scope, AT))
    expect((await stored())?.pausedUntil).toBe(until)
    expect(await review.end('stopped', 0)).toEqual(ok({}))
  })
})
