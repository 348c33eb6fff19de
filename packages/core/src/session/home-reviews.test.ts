/** The reviews of one home: which is due, what it reads, and what the state says afterwards. */
import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { dueReview } from '../../test/support/due-review.ts'
import { REVIEW_SETTINGS, type SessionHomeChange, sessionHome } from '../../test/support/session-home.ts'
import { LEASE_MS, type ReviewFate, startReview } from '../nudge/decide-review.ts'
import {
  EMPTY_REVIEW_STATE,
  IDLE_AFTER_MS,
  noteSession,
  REVIEW_STATE_PATH,
  type ReviewState,
  reviewStateSchema,
  type SavedCounts,
} from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { orError, readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { HomeReviews } from './home-reviews.ts'
import type { BeginAnswer, BegunReview, ReviewOccasion } from './review-request.ts'
import type { SessionOptions } from './session-home.ts'
import { countsOf, newSessionRecord, type SessionRecord, sessionPath, unreadableCopy } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

const START = 10_000
const NONE = { turns: 0, iterations: 0 }
const ALL = { words: true, everything: true, skills: false }

const recordOf = (id: string, turns: number, at = START): SessionRecord => ({
  ...newSessionRecord(id, '', at),
  userTurns: turns,
  unread: Array.from({ length: turns }, (_, index) => ({
    number: index + 1,
    messages: [{ role: 'user' as const, text: `turn ${index + 1} of ${id}` }],
  })),
})

interface Options extends Partial<SessionOptions> {
  readonly inner?: StorageBackend
  readonly storage?: StorageBackend
}

type Occasion = ReviewOccasion & { readonly hostTokens?: number; readonly mayStart?: boolean }

const open = ({ inner = inMemoryBackend(), storage = inner, ...options }: Options = {}) => {
  const clock = manualClock(START)
  const { home: of, events } = sessionHome(
    { storage, clock, options: { intervals: { memoryInterval: 3, skillInterval: 0 }, minTurns: 2, ...options } },
    inner,
  )
  const failures = () => events.map((event) => (event.type === 'storage-failed' ? `${event.operation}: ${event.error.code}` : event.type))
  const home = new HomeReviews(of)
  const state = async (): Promise<ReviewState | undefined> => {
    const found = await readJsonDocument(inner, REVIEW_STATE_PATH, reviewStateSchema)
    return found.ok ? found.value : undefined
  }
  const write = (path: string, text: string) => updateDocument(inner, path, () => new TextEncoder().encode(text))
  const save = async (record: SessionRecord) => {
    await updateJsonDocument(inner, sessionPath(record.id), sessionRecordSchema, () => record)
    return { ...countsOf(record), reviewed: NONE }
  }
  const saveTurns = (id: string, turns: number) => save(recordOf(id, turns))
  const recordAt = async (id: string) => {
    const found = await readJsonDocument(inner, sessionPath(id), sessionRecordSchema)
    return found.ok ? found.value : undefined
  }
  /** As a session does: counts in the update that saves, and asks for a review if that says so. */
  const tryBegin = async ({ hostTokens, mayStart = true, ...occasion }: Occasion): Promise<Result<BeginAnswer>> => {
    const { why, saved, minTurns, isQueued } = occasion
    if (saved === undefined && hostTokens === undefined) return home.begin(occasion)
    const onlySession = home.onlySession(saved)
    const counted = await home.update([], (current) => {
      const asked = home.ask(current, { why, saved, minTurns, hostTokens, onlySession, at: clock(), mayStart, isQueued })
      return { state: asked.state, value: asked }
    })
    if (!counted.ok) return counted
    const { answer, before, isFirstReport } = counted.value
    if (answer.kind === 'waits') return ok({ ...answer, isFirstReport })
    return answer.kind === 'start' || answer.kind === 'busy' ? home.begin({ ...occasion, before }) : ok(answer)
  }
  const begin = async (occasion: Occasion): Promise<BeginAnswer> => {
    const begun = await tryBegin(occasion)
    if (!begun.ok) throw begun.error
    return begun.value
  }
  const review = async (occasion: Occasion) => {
    const begun = await begin(occasion)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    const { due } = begun.review
    return { due, end: (fate: ReviewFate, tokens: number) => home.end(begun.review, fate, tokens) }
  }
  return { home, tryBegin, begin, review, clock, failures, state, write, save, saveTurns, recordAt, inner }
}

describe('a review of a home', () => {
  it('reads the turns of a failed one again, three times at most', async () => {
    const { review, saveTurns, state } = open()
    const saved = await saveTurns('one', 3)
    const tries: unknown[] = []
    for (const why of ['turn', 'request', 'request'] as const) {
      const { due, end } = await review({ why, saved })
      tries.push([due.isRetry, due.isLastTry])
      await end('failed', 5)
    }
    expect(tries).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
    expect(await state()).toMatchObject({ failures: 3, pausedUntil: START + 3_600_000 })
  })

  it('takes over from one whose process has died', async () => {
    const { begin, review, saveTurns, clock } = open()
    const first = await review({ why: 'turn', saved: await saveTurns('one', 3) })
    clock.advance(60_000)
    expect(await begin({ why: 'turn' })).toEqual({ kind: 'nothing-due', unreadTurns: 3 })
    expect(await begin({ why: 'request' })).toEqual({ kind: 'busy' })
    clock.advance(1)
    const { due } = await review({ why: 'request' })
    expect(due).toMatchObject({ isRetry: true, turns: 3 })
    expect(due.fence).toBeGreaterThan(first.due.fence)
    expect(await first.end('read', 1)).toMatchObject({ ok: false, error: { code: 'superseded' } })
  })

  it('whose turns are gone ends at once', async () => {
    const { begin, saveTurns, write, state, failures } = open()
    const saved = await saveTurns('one', 3)
    await write(sessionPath('one'), '{"id"')
    expect(await begin({ why: 'turn', saved })).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
    expect(await state()).toMatchObject({ sessions: [] })
    expect(await state()).not.toHaveProperty('review')
    expect(failures()).toEqual(['load session: unreadable'])
  })

  it('reads nothing if its end cannot be written: neither the state nor a record changes', async () => {
    const inner = inMemoryBackend()
    let failing = false
    const update: StorageBackend['update'] = async (paths, plan, options) =>
      failing ? err(new HermesError('no_space', 'full')) : inner.update(paths, plan, options)
    const { home, review, saveTurns, state, recordAt } = open({ inner, storage: { ...inner, update } })
    const { end } = await review({ why: 'turn', saved: await saveTurns('one', 3) })
    const before = [await state(), await recordAt('one')]
    failing = true
    expect(await end('read', 0)).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect([await state(), await recordAt('one')]).toEqual(before)
    expect(await home.begin({ why: 'turn' })).toMatchObject({ ok: false, error: { code: 'no_space' } })
  })
})

describe('a review of a home that keeps no text', () => {
  const shown = [{ role: 'user', text: 'shown' }] as const

  it('reads what the host shows of the session that was saved, once', async () => {
    const { review, saveTurns, state } = open({ keepText: false })
    const saved = await saveTurns('one', 3)
    const { due, end } = await review({ why: 'turn', saved, shown, tainted: true })
    expect(due).toMatchObject({
      isLastTry: true,
      isRetry: false,
      conversation: [{ sessionId: 'one', messages: shown, tainted: true, readers: ALL }],
      loadedSkills: [],
    })
    await end('read', 0)
    expect(await state()).toMatchObject({ sessions: [{ read: { words: 3, everything: 3, skills: 0 } }] })
  })

  it('never begins without a session that was saved', async () => {
    const { begin, saveTurns, state } = open({ keepText: false })
    await begin({ why: 'turn', saved: await saveTurns('one', 3), mayStart: false })
    expect(await begin({ why: 'request', minTurns: 1, hostTokens: 9 })).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
    expect(await state()).toMatchObject({ days: [{ host: 9 }] })
    expect(await state()).not.toHaveProperty('review')
  })
})

it.each([
  ['starts a review', {}, 'start'],
  ['only counts in a process that is about to end', { stopping: AbortSignal.abort() }, 'nothing-due'],
  ['says what is due for a worker to do, also then', { stopping: AbortSignal.abort(), isQueued: true }, 'start'],
  ['only counts where the host asks for reviews', { options: { review: { ...REVIEW_SETTINGS, start: 'manual' } } }, 'nothing-due'],
] as const)('the turn that makes a review due %s', (_, { options, ...change }: SessionHomeChange, kind) => {
  const intervals = { memoryInterval: 3, skillInterval: 0 }
  const reviews = new HomeReviews(sessionHome({ ...change, options: { intervals, ...options } }).home)
  const saved = { ...countsOf(recordOf('one', 3)), reviewed: NONE }
  const { answer, state } = reviews.askAfterTurn(EMPTY_REVIEW_STATE, saved, 0, START)
  expect([answer.kind, state.sessions[0]?.turns]).toEqual([kind, 3])
})

describe('a home whose reviews a worker runs', () => {
  it('only says that one is due, with the number of the newest', async () => {
    const { begin, saveTurns, state } = open()
    expect(await begin({ why: 'turn', saved: await saveTurns('one', 3), isQueued: true })).toEqual({ kind: 'due', fence: START })
    expect(await state()).toMatchObject({ sessions: [{ turns: 3, asked: { turns: 0 } }] })
    expect(await state()).not.toHaveProperty('review')
  })

  it('says so while one runs', async () => {
    const { begin, review, saveTurns } = open()
    await review({ why: 'turn', saved: await saveTurns('one', 3) })
    expect(await begin({ why: 'turn', saved: await saveTurns('one', 6), isQueued: true })).toEqual({ kind: 'due', fence: START + 1 })
  })

  it('says nothing if nothing is due, also after half an hour, when the queue has its own entry', async () => {
    const { begin, saveTurns, clock } = open({ intervals: { memoryInterval: 10, skillInterval: 0 } })
    await begin({ why: 'turn', saved: await saveTurns('one', 2), isQueued: true })
    clock.advance(IDLE_AFTER_MS)
    expect(await begin({ why: 'turn', saved: await saveTurns('two', 1), isQueued: true })).toEqual({ kind: 'nothing-due', unreadTurns: 3 })
  })
})

describe('a due review that must wait', () => {
  it.each([false, true])('is reported once for each interval; with a worker: %s', async (isQueued) => {
    const { home, begin, review, saveTurns, state } = open({ limits: { budget: 0.1, maxTokensPerDay: undefined } })
    await (await review({ why: 'turn', saved: await saveTurns('one', 3) })).end('read', 1_000)
    const waits = { kind: 'waits', reason: 'budget' }
    const say = async (turns: number) => begin({ why: 'turn', saved: await saveTurns('one', turns), hostTokens: 1, isQueued })
    expect(await say(6)).toEqual({ ...waits, turns: 3, intervals: 1, isFirstReport: true })
    expect(await state()).toMatchObject({ waited: 1 })
    expect(await say(7)).toEqual({ ...waits, turns: 4, intervals: 1, isFirstReport: false })
    const saved = await saveTurns('two', 2)
    expect(await begin({ why: 'turn', saved, isQueued })).toEqual({ ...waits, turns: 6, intervals: 2, isFirstReport: true })
    await home.forget('two')
    expect(await begin({ why: 'turn', isQueued })).toEqual({ ...waits, turns: 4, intervals: 1, isFirstReport: false })
    expect(await state()).toMatchObject({ waited: 2 })
  })
})

describe('a state that was removed', () => {
  it('is rebuilt from the records of sessions with unread turns', async () => {
    const { home, saveTurns, save, state, write, failures } = open()
    await saveTurns('new', 1)
    await save({ ...recordOf('read', 3), unread: [] })
    await save({ ...recordOf('half', 3), unread: recordOf('half', 3).unread.slice(2) })
    await write(sessionPath('broken'), '{"id"')
    expect(await home.restore()).toEqual(ok(undefined))
    expect(await state()).toMatchObject({
      fence: START,
      sessions: [
        { id: 'half', turns: 3, asked: { turns: 2 }, read: { words: 2, everything: 2, skills: 2 }, kept: 1 },
        { id: 'new', turns: 1, asked: { turns: 0 }, read: { words: 0 }, kept: 1 },
      ],
    })
    expect(failures()).toEqual(['load session: unreadable'])
  })
})

describe('a state that is broken', () => {
  const lost = async () => {
    const inner = inMemoryBackend()
    let failing = false
    const list: StorageBackend['list'] = async (prefix) => (failing ? err(new HermesError('io', 'broken')) : inner.list(prefix))
    const home = open({ inner, storage: { ...inner, list } })
    await home.saveTurns('one', 2)
    await home.write(REVIEW_STATE_PATH, '{"version":1,')
    return { ...home, fail: (isFailing: boolean) => (failing = isFailing) }
  }

  it('is moved aside and rebuilt from the records, and the host is counted once', async () => {
    const { begin, saveTurns, state, failures, inner } = await lost()
    const shown = [{ role: 'user', text: 'shown' }] as const
    const begun = await begin({ why: 'turn', saved: await saveTurns('two', 1), shown, hostTokens: 7 })
    expect(begun).toMatchObject({
      kind: 'begun',
      review: { due: { shown, conversation: [{ sessionId: 'one' }, {}, { sessionId: 'two' }] } },
    })
    expect(failures()).toEqual(['read reviews: unreadable'])
    expect(await state()).toMatchObject({ days: [{ host: 7 }] })
    const copy = await readDocument(inner, `sessions/.unreadable/${START}-.reviews.json`)
    expect(copy.ok && new TextDecoder().decode(copy.value?.bytes)).toBe('{"version":1,')
  })

  it('is rebuilt later if the records cannot be listed now, and nothing is lost', async () => {
    const { tryBegin, begin, saveTurns, fail } = await lost()
    fail(true)
    expect(await tryBegin({ why: 'turn', saved: await saveTurns('two', 1) })).toMatchObject({ ok: false, error: { code: 'io' } })
    fail(false)
    expect(await begin({ why: 'turn' })).toMatchObject({ kind: 'begun' })
  })
})

describe('a session that is forgotten', () => {
  it('is removed with copies of its record, is taken out of the state, and nothing else is', async () => {
    const { home, begin, saveTurns, state, write, inner } = open()
    await begin({ why: 'turn', saved: await saveTurns('one', 1) })
    await begin({ why: 'turn', saved: await saveTurns('two', 1) })
    await write(unreadableCopy(sessionPath('one'), 7), 'nonsense')
    await write(unreadableCopy(sessionPath('two'), 7), 'nonsense')
    expect(await home.forget('one')).toEqual(ok(undefined))
    expect((await state())?.sessions.map(({ id }) => id)).toEqual(['two'])
    const left = await inner.list('sessions')
    expect(left.ok && left.value.map(({ path }) => path)).toEqual([
      REVIEW_STATE_PATH,
      unreadableCopy(sessionPath('two'), 7),
      sessionPath('two'),
    ])
  })

  it('stays known if it cannot be removed', async () => {
    const inner = inMemoryBackend()
    const { home, saveTurns, recordAt } = open({ inner, storage: { ...inner, update: async () => err(new HermesError('io', 'broken')) } })
    await saveTurns('one', 1)
    expect(await home.forget('one')).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(await recordAt('one')).toBeDefined()
  })
})

/** The lease of a review, and its end, over the state of a home. */
const AT = 1_000_000
const scope = { words: true, everything: true, skills: true }
const marks = { words: 3, everything: 3, skills: 3 }

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

describe('the lease of a review', () => {
  it('lets the review write, also when its minute is over, as long as no other has begun', async () => {
    const { times, mayWrite } = await setUp()
    for (const later of [0, LEASE_MS, 1]) {
      times.now += later
      expect(await mayWrite()).toEqual(ok(undefined))
    }
  })

  it('is lost once another has begun, or nobody can say', async () => {
    const { home, review, mayWrite, broken } = await setUp()
    const other = { ...review, due: { ...review.due, fence: review.due.fence + 1 } }
    const lost = { ok: false, error: { code: 'superseded' } }
    expect(await home.renew(other)).toMatchObject(lost)
    await home.cancel()
    expect(await home.renew(review)).toMatchObject(lost)
    expect(await mayWrite()).toMatchObject(lost)
    broken.update = async () => err(new HermesError('io', 'The disk is broken.'))
    expect(await home.renew(review)).toMatchObject({ ok: false, error: { code: 'io' } })
  })

  it('is extended by a minute from now', async () => {
    const { times, home, review, stored } = await setUp()
    times.now += 40_000
    expect(await home.renew(review)).toEqual(ok({ until: AT + 40_000 + LEASE_MS }))
    expect((await stored())?.review?.until).toBe(AT + 40_000 + LEASE_MS)
  })
})

describe('the end of a review', () => {
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
})
