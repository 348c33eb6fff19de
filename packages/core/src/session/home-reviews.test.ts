/** The reviews of one home: which is due, what it reads, and what the state says afterwards. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import type { ReviewFate } from '../nudge/decide-review.ts'
import { IDLE_AFTER_MS, REVIEW_STATE_PATH, type ReviewState, reviewStateSchema } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { HomeReviews } from './home-reviews.ts'
import type { BeginAnswer, ReviewOccasion } from './review-request.ts'
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
  it('is not due before the interval is full, and counts what was saved', async () => {
    const { begin, saveTurns, state } = open()
    expect(await begin({ why: 'turn', saved: await saveTurns('one', 2), hostTokens: 40 })).toEqual({ kind: 'nothing-due', unreadTurns: 2 })
    expect(await state()).toMatchObject({ sessions: [{ id: 'one', turns: 2 }], days: [{ host: 40, learning: 0 }] })
    expect(await state()).not.toHaveProperty('review')
  })

  it('reads the unread turns of all sessions, that of the newest last, with what the host shows', async () => {
    const { begin, review, saveTurns, save, state, recordAt } = open()
    await begin({ why: 'turn', saved: await saveTurns('one', 1) })
    const saved = await save({ ...recordOf('two', 2), loadedSkills: ['deploy'] })
    const shown = [{ role: 'user', text: 'shown' }] as const
    const { due, end } = await review({ why: 'turn', saved, shown, tainted: true })
    expect(due).toMatchObject({
      fence: START + 1,
      scope: ALL,
      isLastTry: false,
      isRetry: false,
      turns: 3,
      iterations: 0,
      shown,
      tainted: true,
    })
    expect(due.conversation.map(({ sessionId }) => sessionId)).toEqual(['one', 'two', 'two'])
    expect(due.loadedSkills).toEqual(['deploy'])
    expect(await state()).toMatchObject({ review: { fence: START + 1, scope: ALL } })
    expect(await begin({ why: 'request', minTurns: 1 })).toEqual({ kind: 'busy' })
    expect(await end('read', 30)).toEqual(ok({}))
    expect(await state()).toMatchObject({
      sessions: [
        { read: { words: 1 }, kept: 0 },
        { read: { words: 2 }, kept: 0 },
      ],
      lastCost: 30,
    })
    expect((await recordAt('two'))?.unread).toEqual([])
  })

  it('shows nothing, and nothing from outside, unless the host says so', async () => {
    const { review, saveTurns } = open()
    expect((await review({ why: 'turn', saved: await saveTurns('one', 3) })).due).toMatchObject({ shown: [], tainted: false })
  })

  it('needs at the end of a session the turns of the settings, or those of the request', async () => {
    const { begin, saveTurns } = open({ minTurns: 3, intervals: { memoryInterval: 10, skillInterval: 0 } })
    const saved = await saveTurns('one', 2)
    expect(await begin({ why: 'end', saved })).toEqual({ kind: 'nothing-due', unreadTurns: 2 })
    expect(await begin({ why: 'end', saved, minTurns: 2 })).toMatchObject({ kind: 'begun' })
  })

  it('is due after half an hour without a turn', async () => {
    const { begin, saveTurns, save, clock } = open({ intervals: { memoryInterval: 10, skillInterval: 0 } })
    await begin({ why: 'turn', saved: await saveTurns('one', 2) })
    clock.advance(IDLE_AFTER_MS)
    const saved = await save({ ...recordOf('two', 1, clock()), updatedAt: clock() })
    expect(await begin({ why: 'turn', saved })).toMatchObject({ kind: 'begun' })
  })

  it('does not start if it may not, and counts', async () => {
    const { begin, saveTurns, state } = open()
    expect(await begin({ why: 'turn', saved: await saveTurns('one', 3), mayStart: false })).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
    expect(await state()).toMatchObject({ sessions: [{ turns: 3 }] })
    expect(await state()).not.toHaveProperty('review')
  })

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

  it('whose turns are gone says so if its end cannot be saved', async () => {
    const inner = inMemoryBackend()
    let updates = 0
    const update: StorageBackend['update'] = async (paths, plan, options) =>
      paths.includes(REVIEW_STATE_PATH) && ++updates > 2 ? err(new HermesError('no_space', 'full')) : inner.update(paths, plan, options)
    const { begin, saveTurns, write, failures } = open({ inner, storage: { ...inner, update } })
    const saved = await saveTurns('one', 3)
    await write(sessionPath('one'), '{"id"')
    expect(await begin({ why: 'turn', saved })).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
    expect(failures()).toEqual(['load session: unreadable', 'save reviews: no_space'])
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

  it('leaves a record that broke meanwhile as it is', async () => {
    const { review, saveTurns, write, state } = open()
    await saveTurns('one', 1)
    const { end } = await review({ why: 'turn', saved: await saveTurns('two', 3) })
    await write(sessionPath('two'), '{"id"')
    expect(await end('read', 0)).toEqual(ok({}))
    expect(await state()).toMatchObject({ sessions: [{ id: 'two', read: { words: 3 }, kept: 3 }] })
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

  it('reads no turns again after a failure', async () => {
    const { review, saveTurns } = open({ keepText: false })
    await (await review({ why: 'turn', saved: await saveTurns('one', 3), shown })).end('failed', 0)
    const { due } = await review({ why: 'turn', saved: await saveTurns('one', 6), shown })
    expect(due).toMatchObject({ isLastTry: true, isRetry: false, turns: 3 })
  })

  it('counts the turns of that session alone', async () => {
    const { begin, saveTurns } = open({ keepText: false })
    await begin({ why: 'turn', saved: await saveTurns('one', 2), shown })
    expect(await begin({ why: 'turn', saved: await saveTurns('two', 2), shown })).toEqual({ kind: 'nothing-due', unreadTurns: 2 })
  })

  it('never begins without a session that was saved', async () => {
    const { begin, saveTurns, state } = open({ keepText: false })
    await begin({ why: 'turn', saved: await saveTurns('one', 3), mayStart: false })
    expect(await begin({ why: 'request', minTurns: 1, hostTokens: 9 })).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
    expect(await state()).toMatchObject({ days: [{ host: 9 }] })
    expect(await state()).not.toHaveProperty('review')
  })
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

  it('is not written if nothing is unread, and one that is there stays', async () => {
    const { home, begin, saveTurns, inner, state } = open()
    expect(await home.restore()).toEqual(ok(undefined))
    expect(await state()).toBeUndefined()
    await begin({ why: 'turn', saved: await saveTurns('one', 2) })
    const before = await readDocument(inner, REVIEW_STATE_PATH)
    await saveTurns('two', 2)
    await home.restore()
    expect(await readDocument(inner, REVIEW_STATE_PATH)).toEqual(before)
  })

  it('cannot be rebuilt if the records cannot be listed', async () => {
    const inner = inMemoryBackend()
    const { home } = open({ inner, storage: { ...inner, list: async () => err(new HermesError('io', 'broken')) } })
    expect(await home.restore()).toMatchObject({ ok: false, error: { code: 'io' } })
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

  it('is rebuilt once by two processes', async () => {
    const { home, inner, saveTurns, write, state } = open()
    await saveTurns('one', 2)
    await write(REVIEW_STATE_PATH, 'nonsense')
    expect(await Promise.all([home.restore(), home.restore()])).toEqual([ok(undefined), ok(undefined)])
    expect(await state()).toMatchObject({ sessions: [{ id: 'one', turns: 2 }] })
    const copies = await inner.list('sessions/.unreadable')
    expect(copies.ok && copies.value).toHaveLength(1)
  })
})

describe('what a worker needs to know', () => {
  it('is when the home is idle, how long it is paused, and whether a review runs', async () => {
    const { home, review, save } = open()
    expect(await home.times()).toEqual(ok({ idleAt: undefined, pausedUntil: undefined, isReviewing: false }))
    const saved = await save({ ...recordOf('one', 3), updatedAt: START + 7 })
    const idleAt = START + 7 + IDLE_AFTER_MS
    for (let times = 0; times < 3; times++) {
      const { end } = await review({ why: 'request', saved })
      expect(await home.times()).toEqual(ok({ idleAt, pausedUntil: undefined, isReviewing: true }))
      await end('failed', 0)
    }
    expect(await home.times()).toEqual(ok({ idleAt, pausedUntil: START + 3_600_000, isReviewing: false }))
  })

  it('is an error if the state cannot be read', async () => {
    const { home, write } = open()
    await write(REVIEW_STATE_PATH, '{"version":1,')
    expect(await home.times()).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })
})

describe('a review that is cancelled', () => {
  it('is due again, and can no longer end', async () => {
    const { home, begin, review, saveTurns, state } = open()
    const { end } = await review({ why: 'turn', saved: await saveTurns('one', 3) })
    expect(await home.cancel()).toEqual(ok(undefined))
    expect(await state()).not.toHaveProperty('review')
    expect(await end('read', 0)).toMatchObject({ ok: false, error: { code: 'superseded' } })
    expect(await begin({ why: 'turn' })).toMatchObject({ kind: 'begun' })
  })

  it('costs no write if none runs', async () => {
    const { home, state } = open()
    expect(await home.cancel()).toEqual(ok(undefined))
    expect(await state()).toBeUndefined()
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

  it('cancels the review in progress, which may have read it', async () => {
    const { home, review, saveTurns, state } = open()
    const { end } = await review({ why: 'turn', saved: await saveTurns('one', 3) })
    await home.forget('two')
    expect(await state()).not.toHaveProperty('review')
    expect(await end('read', 0)).toMatchObject({ ok: false, error: { code: 'superseded' } })
  })

  it('costs no write of a state that does not know it', async () => {
    const { home, begin, saveTurns, state, inner } = open()
    await home.forget('one')
    expect(await state()).toBeUndefined()
    await begin({ why: 'turn', saved: await saveTurns('two', 1) })
    const before = await readDocument(inner, REVIEW_STATE_PATH)
    await home.forget('one')
    expect(await readDocument(inner, REVIEW_STATE_PATH)).toEqual(before)
  })

  it('stays known if it cannot be removed', async () => {
    const inner = inMemoryBackend()
    const { home, saveTurns, recordAt } = open({ inner, storage: { ...inner, update: async () => err(new HermesError('io', 'broken')) } })
    await saveTurns('one', 1)
    expect(await home.forget('one')).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(await recordAt('one')).toBeDefined()
  })
})
