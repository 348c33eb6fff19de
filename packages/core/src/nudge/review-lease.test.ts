import { describe, expect, it } from 'vitest'
import { endReview, LEASE_MS, MAX_FAILURES, PAUSE_MS, renewReview, startReview, withoutDeadReview, withoutReview } from './decide-review.ts'
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

const AT = 1_000_000
const both = { words: true, everything: true, skills: true }
const memory = { words: true, everything: true, skills: false }
const words = { words: true, everything: false, skills: false }
const skills = { words: false, everything: false, skills: true }

interface Known extends SavedCounts, Partial<Pick<SessionReading, 'asked' | 'read'>> {}

const saved = (id: string, turns: number, more: Partial<Known> = {}): Known => ({
  id,
  createdAt: 1,
  turns,
  iterations: 4,
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

const before = [saved('a', 6), saved('b', 4)].reduce(know, EMPTY_REVIEW_STATE)
const of = ({ sessions }: ReviewState, id: string) => sessions.find((session) => session.id === id)
const marksOf = (readTo: readonly (readonly [string, number])[]) =>
  new Map(readTo.map(([id, turn]) => [id, { words: turn, everything: turn, skills: turn }]))
const ended = (state: ReviewState, fate: 'read' | 'failed' | 'stopped', readTo: readonly (readonly [string, number])[] = []) =>
  endReview(state, { fence: state.fence, fate, readTo: marksOf(readTo), tokens: 0, at: AT }) ?? state

describe('a review', () => {
  it('has a fence higher than all before, and asks for what there is', () => {
    const started = startReview(before, memory, AT)
    expect(started).toMatchObject({ fence: 1, review: { fence: 1, until: AT + LEASE_MS, scope: memory } })
    expect(of(started, 'a')?.asked).toEqual({ turns: 6, iterations: 0 })
    expect(startReview(ended(started, 'read'), both, AT).fence).toBe(2)
    expect(of(startReview(before, skills, AT), 'a')?.asked).toEqual({ turns: 0, iterations: 4 })
    const onlyB = startReview(before, both, AT, 'b')
    expect(of(onlyB, 'a')?.asked).toEqual({ turns: 0, iterations: 0 })
    expect(of(onlyB, 'b')?.asked).toEqual({ turns: 4, iterations: 4 })
    expect(onlyB.review?.asked.map(({ id }) => id)).toEqual(['b'])
  })

  it('counts its tokens for the day, and keeps the cost of the one before if it used none', () => {
    const endedWith = (state: ReviewState, tokens: number): ReviewState => {
      const started = startReview(state, memory, AT)
      return endReview(started, { fence: started.fence, fate: 'read', readTo: new Map(), tokens, at: AT }) ?? started
    }
    const first = endedWith(before, 40)
    expect(first).toMatchObject({ lastCost: 40, days: [{ learning: 40 }] })
    expect(endedWith(first, 0)).toMatchObject({ lastCost: 40, days: [{ learning: 40 }] })
    expect(endedWith(first, 2)).toMatchObject({ lastCost: 2, days: [{ learning: 42 }] })
  })

  it('lives on if the clock was set back by no more than the length of its lease', () => {
    const started = startReview(before, memory, AT)
    expect(withoutDeadReview(started, AT - LEASE_MS)).toBe(started)
    expect(withoutDeadReview(started, AT - LEASE_MS - 1)).not.toHaveProperty('review')
  })

  it('counts as read in its passes alone, up to where it came', () => {
    const readTo = [
      ['a', 6],
      ['b', 1],
    ] as const
    const read = ended(startReview(before, words, AT), 'read', readTo)
    expect(of(read, 'a')?.read).toEqual({ words: 6, everything: 0, skills: 0 })
    expect(read).not.toHaveProperty('review')
    // Turns that did not fit count for the next review.
    expect(of(read, 'b')).toMatchObject({ read: { words: 1 }, asked: { turns: 1 } })
    expect(of(ended(startReview(read, skills, AT), 'read', readTo), 'a')?.read).toEqual({ words: 6, everything: 0, skills: 6 })
  })

  it('gives back what it was to read if it failed, but not the counts', () => {
    const failed = ended(startReview(before, both, AT), 'failed', [['a', 6]])
    expect(of(failed, 'a')).toMatchObject({ asked: { turns: 6, iterations: 4 }, read: { words: 0, everything: 0, skills: 0 } })
    expect(failed).toMatchObject({ failures: 1 })
  })

  it('gives back the counts as well if it was cancelled, on top of what came since', () => {
    const started = noteSession(startReview(before, memory, AT), saved('a', 8), AT)
    for (const state of [ended(started, 'stopped'), withoutReview(started)]) {
      expect(of(state, 'a')).toMatchObject({ turns: 8, asked: { turns: 0, iterations: 0 } })
      expect(state).toMatchObject({ failures: 0 })
      expect(state).not.toHaveProperty('review')
    }
  })

  it('is dead a minute after its last sign of life, which counts as a failure', () => {
    const started = startReview(before, memory, AT)
    expect(withoutDeadReview(started, AT + LEASE_MS)).toBe(started)
    const renewed = renewReview(started, started.fence, AT + LEASE_MS) ?? before
    expect(withoutDeadReview(renewed, AT + 2 * LEASE_MS)).toBe(renewed)
    const dead = withoutDeadReview(renewed, AT + 2 * LEASE_MS + 1)
    expect(dead).toMatchObject({ failures: 1, fence: 1 })
    expect(of(dead, 'a')?.asked).toEqual({ turns: 0, iterations: 0 })
    // If the clock was set back, the lease is not waited for.
    expect(withoutDeadReview(started, AT - 2 * LEASE_MS)).not.toHaveProperty('review')
  })

  it('counts for nothing once another one has its place, or it was cancelled', () => {
    const started = startReview(before, memory, AT)
    const taken = startReview(withoutDeadReview(started, AT + 2 * LEASE_MS), memory, AT + 2 * LEASE_MS)
    for (const state of [taken, withoutReview(started), EMPTY_REVIEW_STATE]) {
      expect(endReview(state, { fence: started.fence, fate: 'read', readTo: marksOf([['a', 6]]), tokens: 5, at: AT })).toBeUndefined()
      expect(renewReview(state, started.fence, AT)).toBeUndefined()
    }
  })

  it('says nothing of a session that was forgotten, or of another record of its name', () => {
    const started = startReview(before, memory, AT)
    for (const changed of [
      noteSession(withoutSession(started, 'a'), saved('a', 2), AT),
      noteSession(started, saved('a', 2, { createdAt: 2 }), AT),
    ]) {
      const read = ended(changed, 'read', [['a', 6]])
      expect(of(read, 'a')).toMatchObject({ turns: 2, asked: { turns: 0 }, read: { words: 0 } })
      expect(of(ended(changed, 'stopped'), 'a')).toMatchObject({ turns: 2, asked: { turns: 0 } })
    }
  })

  it('pauses the next ones after three failures in a row, deaths among them, until one has read', () => {
    let state = before
    for (let times = 1; times <= MAX_FAILURES; times++) {
      expect(state).not.toHaveProperty('pausedUntil')
      const started = startReview(state, memory, AT)
      state = times === 2 ? withoutDeadReview(started, AT + 2 * LEASE_MS) : ended(started, 'failed')
    }
    expect(state).toMatchObject({ failures: 3, pausedUntil: AT + PAUSE_MS })
    expect(ended(startReview(state, memory, AT), 'failed')).toMatchObject({ failures: 4, pausedUntil: AT + PAUSE_MS })
    expect(ended(startReview(state, memory, AT), 'stopped')).toMatchObject({ failures: 3, pausedUntil: AT + PAUSE_MS })
    const read = ended(startReview(state, memory, AT), 'read')
    expect(read).toMatchObject({ failures: 0 })
    expect(read).not.toHaveProperty('pausedUntil')
    let dead = before
    for (let times = 1; times <= MAX_FAILURES; times++) dead = withoutDeadReview(startReview(dead, memory, AT), AT + 2 * LEASE_MS)
    expect(dead).toMatchObject({ failures: 3, pausedUntil: AT + 2 * LEASE_MS + PAUSE_MS })
  })

  it('of skills alone does not end a row of failures while turns that failed reviews left are unread', () => {
    const [some, all] = [
      [['a', 6]],
      [
        ['a', 6],
        ['b', 4],
      ],
    ] as const
    const failed = ended(startReview(before, memory, AT), 'failed')
    const endedWith = (readTo: readonly (readonly [string, number])[]) => ({
      ...ended(startReview(before, memory, AT), 'read', readTo),
      failures: 1,
    })
    for (const [state, failures] of [
      [failed, 1],
      [endedWith(some), 1],
      [endedWith(all), 0],
    ] as const) {
      expect(ended(startReview(state, skills, AT), 'read', all)).toMatchObject({ failures })
      expect(ended(startReview(state, memory, AT), 'read', all)).toMatchObject({ failures: 0 })
    }
  })
})

describe('review state', () => {
  const DAY = 86_400_000
  const AT = 100 * DAY

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
      const reading = startReview(
        note(EMPTY_REVIEW_STATE, saved('a', 1), saved('b', 1)),
        { words: true, everything: true, skills: true },
        AT,
      )
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
})
