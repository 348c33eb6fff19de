import { describe, expect, it } from 'vitest'
import { startReview } from './decide-review.ts'
import {
  BUDGET_DAYS,
  countTokens,
  EMPTY_REVIEW_STATE,
  IDLE_AFTER_MS,
  MAX_SESSIONS,
  newestTurnAt,
  newReading,
  noteSession,
  type ReviewState,
  type SavedCounts,
  type SessionReading,
  withoutSession,
} from './review-state.ts'

const DAY = 86_400_000
const AT = 100 * DAY

interface Known extends SavedCounts, Partial<Pick<SessionReading, 'asked' | 'read'>> {}

const saved = (id: string, turns: number, more: Partial<Known> = {}): Known => ({
  id,
  createdAt: 1,
  turns,
  iterations: 0,
  updatedAt: AT,
  reviewed: { turns: 0, iterations: 0 },
  kept: turns,
  ...more,
})

/** With marks, if some are given. */
const know = (state: ReviewState, { asked, read, ...counts }: Known): ReviewState => {
  const noted = noteSession(state, counts, AT)
  const marks = { ...(asked ? { asked } : {}), ...(read ? { read } : {}) }
  return { ...noted, sessions: noted.sessions.map((session) => (session.id === counts.id ? { ...session, ...marks } : session)) }
}

const note = (state: ReviewState, ...sessions: readonly Known[]) => sessions.reduce(know, state)

describe('noteSession', () => {
  it('notes the counts of the last save, and keeps how far the session was read', () => {
    const marks = { asked: { turns: 3, iterations: 1 }, read: { words: 3, everything: 3, skills: 0 } }
    const known = note(EMPTY_REVIEW_STATE, saved('a', 3, { ...marks, iterations: 1, kept: 0 }))
    const [session] = note(known, saved('a', 4, { kept: 1, updatedAt: AT + 1 })).sessions
    expect(session).toEqual({ id: 'a', createdAt: 1, turns: 4, iterations: 0, updatedAt: AT + 1, kept: 1, ...marks })
  })

  it('takes turns of a session that it does not know for read, as far as the save says so', () => {
    const [session] = note(EMPTY_REVIEW_STATE, saved('a', 5, { reviewed: { turns: 3, iterations: 2 } })).sessions
    expect(session).toMatchObject({ asked: { turns: 3, iterations: 2 }, read: { words: 3, everything: 3, skills: 3 } })
    const again = noteSession({ ...EMPTY_REVIEW_STATE, sessions: session ? [session] : [] }, saved('a', 6), AT)
    expect(again.sessions[0]).toMatchObject({ turns: 6, read: { words: 3 } })
  })

  it('starts again with another record of the name', () => {
    const known = note(EMPTY_REVIEW_STATE, saved('a', 9, { read: { words: 9, everything: 9, skills: 9 } }))
    const [session, ...others] = note(known, saved('a', 1, { createdAt: 2 })).sessions
    expect(others).toEqual([])
    expect(session).toMatchObject({ createdAt: 2, turns: 1, read: { words: 0, everything: 0, skills: 0 } })
  })

  it('drops sessions of which the record knows all, once they are idle, and none while a review is in progress', () => {
    const later = AT + IDLE_AFTER_MS + 1
    const done = saved('done', 3, { asked: { turns: 3, iterations: 0 }, kept: 0 })
    const unread = saved('unread', 3, { asked: { turns: 3, iterations: 0 }, kept: 1 })
    const uncounted = saved('uncounted', 3, { kept: 0 })
    const worked = saved('worked', 3, { asked: { turns: 3, iterations: 0 }, iterations: 1, kept: 0 })
    const state = note(EMPTY_REVIEW_STATE, done, unread, uncounted, worked)
    const ids = ({ sessions }: ReviewState) => sessions.map(({ id }) => id)
    expect(ids(noteSession(state, saved('new', 1), later - 1))).toEqual(['done', 'unread', 'uncounted', 'worked', 'new'])
    expect(ids(noteSession(state, saved('new', 1), later))).toEqual(['unread', 'uncounted', 'worked', 'new'])
    expect(ids(noteSession(state, saved('new', 1), AT + 8 * DAY))).toEqual(['unread', 'new'])
    const reading = startReview(state, { words: true, everything: true, skills: true }, AT)
    expect(ids(noteSession(reading, saved('new', 1), AT + 8 * DAY))).toEqual(['done', 'unread', 'uncounted', 'worked', 'new'])
  })

  it('knows a bounded number of sessions, those used last', () => {
    const many = Array.from({ length: MAX_SESSIONS }, (_, index) =>
      saved(`s${index}`, 1, { updatedAt: AT + ((index * 7 + 3) % MAX_SESSIONS) }),
    )
    const oldest = many.find(({ updatedAt }) => updatedAt === AT)
    const newest = saved('new', 1, { updatedAt: AT + MAX_SESSIONS })
    const ids = (sessions: readonly Known[]) => new Set(sessions.map(({ id }) => id))
    const known = (sessions: readonly Known[]) =>
      new Set(note({ ...EMPTY_REVIEW_STATE, sessions: sessions.map(newReading) }, newest).sessions.map(({ id }) => id))
    const fewer = many.filter((session) => session !== oldest)
    expect(known(many)).toEqual(ids([...fewer, newest]))
    expect(known(fewer)).toEqual(ids([...fewer, newest]))
  })
})

describe('withoutSession', () => {
  it('forgets one session, also in the review that reads it, and leaves that review its place', () => {
    const reading = startReview(note(EMPTY_REVIEW_STATE, saved('a', 1), saved('b', 1)), { words: true, everything: true, skills: true }, AT)
    const state = withoutSession(reading, 'a')
    expect(state.sessions.map(({ id }) => id)).toEqual(['b'])
    expect(state.review).toEqual({ ...reading.review, asked: [{ id: 'b', createdAt: 1, turns: 0, iterations: 0 }] })
  })
})

describe('countTokens', () => {
  it('sums by day, for a week', () => {
    let state = countTokens(EMPTY_REVIEW_STATE, {}, AT)
    expect(state).toBe(EMPTY_REVIEW_STATE)
    for (let day = 0; day < 20; day++) {
      state = countTokens(state, { host: 10 }, AT + day * DAY)
      state = countTokens(state, { learning: 1 }, AT + day * DAY + 5)
    }
    expect(state.days).toHaveLength(BUDGET_DAYS)
    expect(state.days.at(-1)).toEqual({ day: 119, host: 10, learning: 1 })
    // A clock that was set back does not count later days.
    expect(countTokens(state, { host: 1 }, AT).days).toEqual([{ day: 100, host: 1, learning: 0 }])
  })
})

describe('newestTurnAt', () => {
  it('is that of the session used last', () => {
    expect(newestTurnAt(EMPTY_REVIEW_STATE)).toBeUndefined()
    expect(newestTurnAt(note(EMPTY_REVIEW_STATE, saved('a', 1, { updatedAt: 9 }), saved('b', 1, { updatedAt: 5 })))).toBe(9)
  })
})
