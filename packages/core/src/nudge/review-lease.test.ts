import { describe, expect, it } from 'vitest'
import { endReview, LEASE_MS, MAX_FAILURES, PAUSE_MS, renewReview, startReview, withoutDeadReview, withoutReview } from './decide-review.ts'
import { EMPTY_REVIEW_STATE, noteSession, type ReviewState, type SavedCounts, type SessionReading, withoutSession } from './review-state.ts'

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
