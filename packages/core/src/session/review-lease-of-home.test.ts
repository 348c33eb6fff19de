/** The lease of a review, and its end, over the state of a home. */
import { describe, expect, it } from 'vitest'
import { dueReview } from '../../test/support/due-review.ts'
import { sessionHome } from '../../test/support/session-home.ts'
import { LEASE_MS, MAX_FAILURES, PAUSE_MS, type ReviewFate, startReview, withoutReview } from '../nudge/decide-review.ts'
import { EMPTY_REVIEW_STATE, noteSession, REVIEW_STATE_PATH, type ReviewState, type SavedCounts } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { orError, readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { HomeReviews } from './home-reviews.ts'
import type { BegunReview } from './review-request.ts'
import { newSessionRecord, sessionPath } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

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
  reviewed: { turns: 0, iterations: 0 },
  kept: 3,
})

const change = (home: HomeReviews, next: (state: ReviewState) => ReviewState) =>
  home.update([], (state) => ({ state: next(state), value: undefined }))

/** A home with the sessions `a` and `b` and a review, begun at `AT`, that reads `a`. `times.now` is the clock. */
const setUp = async ({ failures = 0 } = {}) => {
  const times = { now: AT }
  const inner = inMemoryBackend()
  const broken: { update?: StorageBackend['update']; read?: StorageBackend['read'] } = {}
  const storage: StorageBackend = {
    ...inner,
    read: (paths) => (broken.read ?? inner.read)(paths),
    update: (paths, plan, options) => (broken.update ?? inner.update)(paths, plan, options),
  }
  const home = new HomeReviews(sessionHome({ storage, clock: () => times.now }).home)
  const before = ['a', 'b'].reduce((state, id) => noteSession(state, saved(id), AT), { ...EMPTY_REVIEW_STATE, failures })
  await change(home, () => startReview(before, scope, AT))
  const unread = [1, 2, 3].map((number) => ({ number, messages: [{ role: 'user' as const, text: 'said' }] }))
  for (const id of ['a', 'b'])
    await updateJsonDocument(inner, sessionPath(id), sessionRecordSchema, () => ({ ...newSessionRecord(id, '', 1), userTurns: 3, unread }))
  const review: BegunReview = { due: dueReview({ fence: 1, scope }), readTo: new Map([['a', marks]]), gone: [] }
  const stored = async (): Promise<ReviewState | undefined> => {
    const read = await home.read()
    return read.ok ? read.value : undefined
  }
  const textOf = async (path: string) => {
    const found = await readDocument(inner, path)
    return found.ok ? new TextDecoder().decode(found.value?.bytes) : ''
  }
  const withText = async () => {
    const texts = await Promise.all(['a', 'b'].map((id) => textOf(sessionPath(id))))
    return ['a', 'b'].filter((_, index) => texts[index]?.includes('said'))
  }
  /** As the update in which the review writes. */
  const mayWrite = () => {
    const { paths, plan } = home.holding(review)
    return orError(() => inner.update(paths, plan))
  }
  return { times, home, broken, review, stored, withText, inner, textOf, mayWrite }
}

/** Another process starts a review of its own. */
const takeOver = (home: HomeReviews) => change(home, (state) => startReview(withoutReview(state), scope, AT))

describe('the lease of a review', () => {
  it('lets the review write, also when its minute is over, as long as no other has begun', async () => {
    const { times, mayWrite } = await setUp()
    for (const later of [0, LEASE_MS, 1]) {
      times.now += later
      expect(await mayWrite()).toEqual(ok(undefined))
    }
  })

  it('is extended by a minute from now', async () => {
    const { times, home, review, stored } = await setUp()
    times.now += 40_000
    expect(await home.renew(review)).toMatchObject({ ok: true })
    expect((await stored())?.review?.until).toBe(AT + 40_000 + LEASE_MS)
  })

  it.each([
    ['taken over', takeOver],
    ['cancelled', (home: HomeReviews) => home.cancel()],
  ])('is lost once the review was %s: it writes nothing more, and its end changes nothing', async (_, lose) => {
    const { home, review, stored, withText, mayWrite } = await setUp()
    await lose(home)
    const after = await stored()
    const lost = { ok: false, error: { code: 'superseded' } }
    expect(await mayWrite()).toMatchObject(lost)
    expect(await home.renew(review)).toMatchObject(lost)
    expect(await home.end(review, 'read', 10)).toMatchObject(lost)
    expect(await withText()).toEqual(['a', 'b'])
    expect(await stored()).toEqual(after)
  })

  it('fails as the storage does, which is no reason to give the review up', async () => {
    const { times, home, review, broken } = await setUp()
    times.now = AT + LEASE_MS + 1
    broken.update = async () => full
    expect(await home.renew(review)).toEqual(full)
    expect(await home.end(review, 'read', 10)).toEqual(full)
  })
})

describe('the end of a review', () => {
  it.each<[ReviewFate, readonly string[]]>([
    ['read', ['b']],
    ['failed', ['a', 'b']],
    ['stopped', ['a', 'b']],
  ])('removes text only of the sessions that it has read: %s', async (fate, left) => {
    const { home, review, withText } = await setUp()
    expect(await home.end(review, fate, 10)).toEqual(ok({}))
    expect(await withText()).toEqual(left)
  })

  it('is one update of the state and of the records it has read', async () => {
    const { home, review, broken, inner } = await setUp()
    const updates: (readonly string[])[] = []
    broken.update = (paths, plan, options) => {
      updates.push(paths)
      return inner.update(paths, plan, options)
    }
    await home.end(review, 'read', 10)
    expect(updates).toEqual([[REVIEW_STATE_PATH, sessionPath('a')]])
  })

  it('reports the failure that pauses learning, and not a cancelled review in the pause', async () => {
    const { times, home, review, stored } = await setUp({ failures: MAX_FAILURES - 1 })
    times.now += 5
    const until = AT + 5 + PAUSE_MS
    expect(await home.end(review, 'failed', 10)).toEqual(ok({ paused: { failures: MAX_FAILURES, until } }))
    await change(home, (state) => startReview({ ...state, fence: 0 }, scope, AT))
    expect((await stored())?.pausedUntil).toBe(until)
    expect(await home.end(review, 'stopped', 0)).toEqual(ok({}))
  })
})

describe('the review state', () => {
  const fresh = (now: number) => {
    const storage = inMemoryBackend()
    const { home, events } = sessionHome({ storage, clock: () => now })
    return { storage, reviews: new HomeReviews(home), events }
  }

  it.each([
    [1_000.5, 1_000],
    [-5, 0],
  ])('begins with a number of reviews that follows the time: %s', async (now, fence) => {
    const { reviews } = fresh(now)
    expect(await reviews.read()).toEqual(ok(undefined))
    await change(reviews, (state) => ({ ...state, failures: 1 }))
    expect(await reviews.read()).toEqual(ok({ ...EMPTY_REVIEW_STATE, fence, failures: 1 }))
  })

  it('is not written if a plan leaves it as it is', async () => {
    const { reviews, storage } = fresh(5)
    await change(reviews, (state) => state)
    await reviews.update([], () => ({ value: 1 }))
    expect(await storage.list('')).toEqual(ok([]))
  })

  it('that cannot be read as one is moved aside and reported; it stays if that fails', async () => {
    const { home, broken, inner, textOf } = await setUp()
    await updateDocument(inner, REVIEW_STATE_PATH, () => new TextEncoder().encode('not JSON'))
    let updates = 0
    broken.update = async (paths, plan, options) => (++updates === 1 ? inner.update(paths, plan, options) : full)
    expect(await change(home, (state) => ({ ...state, failures: 1 }))).toEqual(full)
    expect(await textOf(REVIEW_STATE_PATH)).toBe('not JSON')
    delete broken.update
    expect(await change(home, (state) => ({ ...state, failures: 1 }))).toEqual(ok(undefined))
    expect(await textOf(`sessions/.unreadable/${AT}-.reviews.json`)).toBe('not JSON')
  })

  it('is not taken for broken if the storage fails for another reason', async () => {
    const { home, broken, inner, textOf } = await setUp()
    await updateDocument(inner, REVIEW_STATE_PATH, () => new TextEncoder().encode('not JSON'))
    broken.update = async () => err(new HermesError('io', 'broken'))
    expect(await change(home, (state) => ({ ...state, failures: 1 }))).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(await textOf(REVIEW_STATE_PATH)).toBe('not JSON')
  })
})
