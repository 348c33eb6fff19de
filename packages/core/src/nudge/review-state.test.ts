import { describe, expect, it } from 'vitest'
import { startReview } from './review-lease.ts'
import {
  BUDGET_DAYS,
  countTokens,
  EMPTY_REVIEW_STATE,
  IDLE_AFTER_MS,
  MAX_SESSIONS,
  newestTurnAt,
  noteKept,
  noteSession,
  type ReviewState,
  type SavedCounts,
  withoutRecord,
  withoutSession,
} from './review-state.ts'

const DAY = 86_400_000
const AT = 100 * DAY

const saved = (id: string, turns: number, more: Partial<SavedCounts> = {}): SavedCounts => ({
  id,
  createdAt: 1,
  turns,
  iterations: 0,
  updatedAt: AT,
  asked: { turns: 0, iterations: 0 },
  read: { words: 0, everything: 0, skills: 0 },
  kept: turns,
  ...more,
})

const note = (state: ReviewState, ...sessions: readonly SavedCounts[]) =>
  sessions.reduce((next, session) => noteSession(next, session, AT), state)

describe('noteSession', () => {
  it('gives the same result in any order, and when repeated', () => {
    const [first, second, third] = [saved('a', 1), saved('a', 2), saved('a', 3, { iterations: 2 })]
    const inOrder = note(EMPTY_REVIEW_STATE, first, second, third)
    for (const order of [
      [third, first, second],
      [second, third, third, first],
    ])
      expect(note(EMPTY_REVIEW_STATE, ...order)).toEqual(inOrder)
  })

  it('keeps what is known of a session if a save knows less', () => {
    const marks = { asked: { turns: 3, iterations: 1 }, read: { words: 3, everything: 3, skills: 0 } }
    const known = note(EMPTY_REVIEW_STATE, saved('a', 3, { ...marks, iterations: 1, kept: 0 }))
    expect(note(known, saved('a', 2)).sessions).toEqual(known.sessions)
    expect(note(known, saved('a', 4, { kept: 1 })).sessions[0]).toMatchObject({ turns: 4, ...marks, kept: 1 })
    expect(note(known, saved('a', 4, { updatedAt: AT - 1 })).sessions[0]?.updatedAt).toBe(AT)
    expect(note(known, saved('a', 4, { updatedAt: AT + 1 })).sessions[0]?.updatedAt).toBe(AT + 1)
  })

  it('takes the smaller of two counts of kept turns, unless one of the saves is newer', () => {
    const known = note(EMPTY_REVIEW_STATE, saved('a', 3, { kept: 2 }))
    const keptAfter = (turns: number, kept: number) => note(known, saved('a', turns, { kept })).sessions[0]?.kept
    expect([keptAfter(3, 1), keptAfter(3, 3), keptAfter(4, 3), keptAfter(4, 1), keptAfter(2, 1), keptAfter(2, 3)]).toEqual([
      1, 2, 3, 1, 2, 2,
    ])
  })

  it('starts again with another record of the name', () => {
    const known = note(EMPTY_REVIEW_STATE, saved('a', 9, { read: { words: 9, everything: 9, skills: 9 } }))
    expect(note(known, saved('a', 1, { createdAt: 2 })).sessions).toEqual([saved('a', 1, { createdAt: 2 })])
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
    const known = (sessions: readonly SavedCounts[]) => new Set(note({ ...EMPTY_REVIEW_STATE, sessions }, newest).sessions)
    expect(known(many)).toEqual(new Set([...many.filter((session) => session !== oldest), newest]))
    const fewer = many.filter((session) => session !== oldest)
    expect(known(fewer)).toEqual(new Set([...fewer, newest]))
  })
})

describe('noteKept', () => {
  it('does not take back what a newer save has said', () => {
    const state = note(EMPTY_REVIEW_STATE, saved('a', 11, { kept: 1 }))
    expect(noteKept(state, saved('a', 10, { kept: 0 })).sessions[0]?.kept).toBe(1)
    expect(noteKept(state, saved('a', 11, { kept: 0 })).sessions[0]?.kept).toBe(0)
    expect(noteKept(state, saved('a', 11, { kept: 0, createdAt: 2 })).sessions[0]?.kept).toBe(1)
    expect(noteKept(state, saved('b', 11, { kept: 0 })).sessions[0]?.kept).toBe(1)
  })
})

describe('withoutRecord', () => {
  it('forgets that record, and not the one that has taken its place', () => {
    const state = note(EMPTY_REVIEW_STATE, saved('a', 1, { createdAt: 2 }), saved('b', 1))
    expect(withoutRecord(state, saved('a', 9))).toBe(state)
    expect(withoutRecord(state, saved('a', 9, { createdAt: 2 })).sessions).toEqual([saved('b', 1)])
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
