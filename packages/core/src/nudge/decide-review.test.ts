import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askForReview, decideReview, type LearningLimits, PAUSE_MS, type ReviewQuestion, startReview } from './decide-review.ts'
import { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL, decideNudges, hydrateCount } from './nudge-intervals.ts'
import {
  countTokens,
  EMPTY_REVIEW_STATE,
  IDLE_AFTER_MS,
  noteSession,
  type ReviewState,
  type SavedCounts,
  type SessionReading,
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

const stateOf = (...sessions: readonly Known[]): ReviewState => sessions.reduce(know, EMPTY_REVIEW_STATE)

const NO_LIMITS: LearningLimits = { budget: undefined, maxTokensPerDay: undefined }

const decide = (state: ReviewState, question: Partial<ReviewQuestion> = {}) =>
  decideReview(state, {
    why: 'turn',
    intervals: { memoryInterval: 10, skillInterval: 10 },
    minTurns: 3,
    limits: NO_LIMITS,
    at: AT,
    ...question,
  })

describe('decideReview', () => {
  it('counts the turns of all sessions, and the steps with tools', () => {
    expect(decide(stateOf(saved('a', 5), saved('b', 4)))).toEqual({ kind: 'nothing-due', unreadTurns: 9 })
    expect(decide(stateOf(saved('a', 5), saved('b', 5)))).toEqual({
      kind: 'start',
      scope: { words: true, everything: true, skills: false },
      turns: 10,
      iterations: 0,
    })
    const work = stateOf(saved('a', 1, { iterations: 6 }), saved('b', 1, { iterations: 4 }))
    expect(decide(work)).toMatchObject({ kind: 'start', scope: { words: false, everything: false, skills: true }, iterations: 10 })
    expect(decide(stateOf(saved('a', 10, { iterations: 10 })))).toMatchObject({ scope: { words: true, everything: true, skills: true } })
    const asked = { asked: { turns: 10, iterations: 10 } }
    expect(decide(stateOf(saved('a', 19, { iterations: 19, ...asked })))).toMatchObject({ kind: 'nothing-due' })
    expect(decide(stateOf(saved('a', 20, { iterations: 20, ...asked })))).toMatchObject({ kind: 'start', turns: 10, iterations: 10 })
  })

  it('starts none while one is in progress', () => {
    const state = startReview(stateOf(saved('a', 10)), { words: true, everything: true, skills: false }, AT)
    expect(decide(noteSession(state, saved('b', 9), AT))).toEqual({ kind: 'nothing-due', unreadTurns: 19 })
    expect(decide(noteSession(state, saved('b', 10), AT))).toEqual({ kind: 'busy' })
    expect(decide(state, { why: 'request' })).toEqual({ kind: 'busy' })
  })

  it.each([
    ['the end of a session', { why: 'end' }],
    ['a request', { why: 'request' }],
    ['the first turn of an idle home', { before: AT - IDLE_AFTER_MS }],
  ] as const)('reads the own words of three turns at %s', (_, question) => {
    expect(decide(stateOf(saved('a', 1), saved('b', 1)), question)).toMatchObject({ kind: 'nothing-due', unreadTurns: 2 })
    expect(decide(stateOf(saved('a', 1), saved('b', 2)), question)).toMatchObject({
      kind: 'start',
      scope: { words: true, everything: false, skills: false },
    })
    expect(decide(stateOf(saved('a', 10)), question)).toMatchObject({ scope: { words: true, everything: true } })
    expect(decide(stateOf(saved('a', 1)), { ...question, minTurns: 1 })).toMatchObject({ kind: 'start' })
    expect(decide(stateOf(), { ...question, minTurns: 0 })).toMatchObject({ kind: 'nothing-due' })
  })

  it('counts turns that failed reviews were asked for as unread, and none that are read', () => {
    const asked = saved('a', 12, { asked: { turns: 10, iterations: 0 } })
    expect(decide(stateOf(asked))).toEqual({ kind: 'nothing-due', unreadTurns: 12 })
    expect(decide(stateOf(asked), { why: 'end' })).toMatchObject({ kind: 'start', turns: 2 })
    const read = saved('a', 12, { asked: { turns: 10, iterations: 0 }, read: { words: 10, everything: 10, skills: 0 } })
    expect(decide(stateOf(read), { why: 'end' })).toEqual({ kind: 'nothing-due', unreadTurns: 2 })
  })

  it('reads everything once short conversations that ended early reach an interval together', () => {
    const ended = (everything: number) => saved('a', 7, { asked: { turns: 7, iterations: 0 }, read: { words: 7, everything, skills: 0 } })
    expect(decide(stateOf(ended(0), saved('b', 3)), { why: 'end' })).toMatchObject({ scope: { words: true, everything: true } })
    expect(decide(stateOf(ended(7), saved('b', 3)), { why: 'end' })).toMatchObject({ scope: { words: true, everything: false } })
  })

  it('does not call a home idle a millisecond too early', () => {
    expect(decide(stateOf(saved('a', 5)), { before: AT - IDLE_AFTER_MS + 1 })).toMatchObject({ kind: 'nothing-due' })
    expect(decide(stateOf(saved('a', 5)), { before: AT + DAY })).toMatchObject({ kind: 'nothing-due' })
  })

  it('is never due for what is switched off', () => {
    const off = { intervals: { memoryInterval: 0, skillInterval: 0 } }
    expect(decide(stateOf(saved('a', 50, { iterations: 50 })), off)).toEqual({ kind: 'nothing-due', unreadTurns: 0 })
    expect(decide(stateOf(saved('a', 50, { iterations: 50 })), { ...off, why: 'request' })).toMatchObject({ kind: 'nothing-due' })
  })

  it('looks at one session alone if no text is kept', () => {
    const state = stateOf(saved('a', 9), saved('b', 9))
    expect(decide(state, { onlySession: 'a' })).toMatchObject({ kind: 'nothing-due', unreadTurns: 9 })
    expect(decide(state, { onlySession: 'c', why: 'request' })).toMatchObject({ kind: 'nothing-due', unreadTurns: 0 })
  })
})

describe('limits', () => {
  const spent = (learning: number, host: number, lastCost = 0): ReviewState => ({
    ...countTokens(stateOf(saved('a', 10)), { learning, host }, AT),
    lastCost,
  })
  const withTurns = (state: ReviewState, turns: number) => noteSession(state, saved('a', turns), AT)

  it('let a review that is over its budget wait for three intervals at most', () => {
    const limits = { ...NO_LIMITS, budget: 0.1 }
    const over = spent(90, 1_000, 20)
    for (const [turns, intervals] of [
      [10, 1],
      [29, 2],
      [39, 3],
    ] as const)
      expect(decide(withTurns(over, turns), { limits })).toEqual({ kind: 'waits', reason: 'budget', turns, intervals })
    expect(decide(withTurns(over, 40), { limits })).toMatchObject({ kind: 'start' })
    expect(decide(spent(80, 1_000, 20), { limits })).toMatchObject({ kind: 'start' })
    expect(decide(over, { limits, why: 'request' })).toMatchObject({ kind: 'start' })
    expect(decide(over, { limits, at: AT + 7 * DAY })).toMatchObject({ kind: 'waits' })
  })

  it('count the intervals of what is switched on alone', () => {
    const work = { ...stateOf(saved('a', 10, { iterations: 10 })), lastCost: 20 }
    const question = { limits: { ...NO_LIMITS, budget: 0.1 }, intervals: { memoryInterval: 0, skillInterval: 10 } }
    expect(decide(work, question)).toMatchObject({ kind: 'waits', reason: 'budget', intervals: 1 })
  })

  it('forget what was spent more than a week ago', () => {
    const old = countTokens(stateOf(saved('a', 10)), { learning: 5_000, host: 10 }, AT)
    const now = countTokens(old, { host: 1_000 }, AT + 7 * DAY)
    expect(now.days).toHaveLength(1)
    expect(decide(now, { limits: { ...NO_LIMITS, budget: 0.1 }, at: AT + 7 * DAY })).toMatchObject({ kind: 'start' })
  })

  it('hold the tokens of a day whoever asks and however long it has waited, and for that day alone', () => {
    const limits = { ...NO_LIMITS, maxTokensPerDay: 100 }
    const over = spent(90, 1_000, 20)
    for (const why of ['turn', 'end', 'request'] as const)
      expect(decide(withTurns(over, 90), { limits, why })).toMatchObject({ kind: 'waits', reason: 'tokens-per-day' })
    expect(decide(spent(80, 1_000, 20), { limits })).toMatchObject({ kind: 'start' })
    expect(decide(over, { limits, at: AT + DAY })).toMatchObject({ kind: 'start' })
    expect(decide(spent(0, 1_000, 101), { limits })).toMatchObject({ kind: 'start' })
  })

  it('pause after failures until their time is over, but not for somebody who asks', () => {
    const paused = { ...stateOf(saved('a', 50)), failures: 3, pausedUntil: AT + PAUSE_MS }
    for (const why of ['turn', 'end'] as const) expect(decide(paused, { why })).toMatchObject({ kind: 'waits', reason: 'breaker' })
    expect(decide(paused, { why: 'request' })).toMatchObject({ kind: 'start' })
    expect(decide(paused, { at: AT + PAUSE_MS })).toMatchObject({ kind: 'start' })
  })
})

describe('askForReview', () => {
  const question = {
    why: 'turn',
    intervals: { memoryInterval: 2, skillInterval: 0 },
    minTurns: 1,
    limits: NO_LIMITS,
    at: AT,
    mayStart: true,
  } as const
  const before = stateOf(saved('a', 1, { updatedAt: AT - IDLE_AFTER_MS }))

  it('counts what is saved and the host’s tokens, and decides on that; it begins nothing', () => {
    const intervals = { memoryInterval: 3, skillInterval: 0 }
    const asked = askForReview(stateOf(saved('a', 1)), { ...question, intervals, saved: saved('a', 3), hostTokens: 7 })
    expect(asked).toMatchObject({ answer: { kind: 'start', turns: 3 }, isFirstReport: false, before: AT })
    expect(asked.state).toMatchObject({ sessions: [{ id: 'a', turns: 3 }], days: [{ host: 7, learning: 0 }] })
    expect(asked.state).not.toHaveProperty('review')
  })

  it('only counts if none may start', () => {
    const asked = askForReview(before, { ...question, saved: saved('a', 9), mayStart: false })
    expect(asked).toMatchObject({ answer: { kind: 'nothing-due', unreadTurns: 0 }, state: { sessions: [{ turns: 9 }] } })
  })

  it('takes a home for idle by the turn before, unless the queue has an entry for that', () => {
    const idle = { ...question, intervals: { memoryInterval: 10, skillInterval: 0 }, saved: saved('b', 1) }
    expect(askForReview(before, idle)).toMatchObject({ answer: { kind: 'start' }, before: AT - IDLE_AFTER_MS })
    expect(askForReview(before, { ...idle, isQueued: true })).toMatchObject({ answer: { kind: 'nothing-due' }, before: undefined })
    const noted = askForReview(before, idle)
    const { saved: _, ...again } = idle
    expect(askForReview(noted.state, again).answer.kind).toBe('nothing-due')
    expect(askForReview(noted.state, { ...again, before: noted.before }).answer.kind).toBe('start')
  })

  it('says of a wait whether it is reported for the first time', () => {
    const limits = { budget: 0, maxTokensPerDay: undefined }
    const waiting = { ...countTokens(stateOf(saved('a', 2)), { learning: 5 }, AT), lastCost: 5 }
    const first = askForReview(waiting, { ...question, limits })
    expect(first).toMatchObject({ answer: { kind: 'waits' }, isFirstReport: true, state: { waited: 1 } })
    expect(askForReview(first.state, { ...question, limits })).toMatchObject({ answer: { kind: 'waits' }, isFirstReport: false })
  })
})

const intervals = { memoryInterval: 10, skillInterval: 10 }

describe('decideNudges', () => {
  it('uses the intervals of Hermes by default', () => {
    expect([DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL]).toEqual([10, 10])
  })

  it('stays silent before the interval, fires at it and after it', () => {
    expect(decideNudges({ turnsSinceReview: 9, iterationsSinceReview: 0 }, intervals)).toEqual({ memory: false, skill: false })
    expect(decideNudges({ turnsSinceReview: 10, iterationsSinceReview: 0 }, intervals)).toEqual({ memory: true, skill: false })
    expect(decideNudges({ turnsSinceReview: 37, iterationsSinceReview: 0 }, intervals)).toEqual({ memory: true, skill: false })
  })

  it('counts user turns for memory and tool iterations for skills, one apart from the other', () => {
    expect(decideNudges({ turnsSinceReview: 0, iterationsSinceReview: 10 }, intervals)).toEqual({ memory: false, skill: true })
    expect(decideNudges({ turnsSinceReview: 10, iterationsSinceReview: 10 }, intervals)).toEqual({ memory: true, skill: true })
  })

  it('never fires if the interval is 0', () => {
    const off = { memoryInterval: 0, skillInterval: 0 }
    expect(decideNudges({ turnsSinceReview: 1_000, iterationsSinceReview: 1_000 }, off)).toEqual({ memory: false, skill: false })
  })
})

describe('hydrateCount', () => {
  it('takes up the count where the history left it', () => {
    expect(hydrateCount(0, 10)).toBe(0)
    expect(hydrateCount(7, 10)).toBe(7)
    expect(hydrateCount(10, 10)).toBe(0)
    expect(hydrateCount(23, 10)).toBe(3)
    expect(hydrateCount(23, 0)).toBe(0)
  })

  it('never hydrates into a nudge that is already due', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(50), (turns, interval) => {
        const turnsSinceReview = hydrateCount(turns, interval)
        expect(decideNudges({ turnsSinceReview, iterationsSinceReview: 0 }, { memoryInterval: interval, skillInterval: 0 }).memory).toBe(
          false,
        )
      }),
      { seed: 7 },
    )
  })
})
