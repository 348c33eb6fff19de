/**
 * Decides whether a review of a home is due now (by count, at the end of a session, in an idle home or on request), which passes it has, and whether it must wait; and
 * keeps the lease of the one that runs: starting, renewing, ending and cancelling it. Pure functions of the review state.
 */
import { decideNudges, type NudgeIntervals, type TurnCounts } from './nudge-intervals.ts'
import {
  BUDGET_DAYS,
  countTokens,
  dayOf,
  further,
  IDLE_AFTER_MS,
  newestTurnAt,
  noteSession,
  type ReadMarks,
  type ReviewScope,
  type ReviewState,
  type SavedCounts,
  type SessionReading,
} from './review-state.ts'

/** Milliseconds without a renewal after which the process of a review counts as dead. */
export const LEASE_MS = 60_000
/** Number of consecutive failures after which no review starts automatically for `PAUSE_MS`. */
export const MAX_FAILURES = 3
/** Milliseconds. */
export const PAUSE_MS = 60 * 60_000

/** Starts a review with a new lease, and resets the counts of what it reads. */
export const startReview = (state: ReviewState, scope: ReviewScope, at: number, onlySession?: string): ReviewState => {
  const isAsked = ({ id }: SessionReading) => onlySession === undefined || id === onlySession
  const fence = state.fence + 1
  const asked = state.sessions
    .filter(isAsked)
    .map(({ id, createdAt, asked: { turns, iterations } }) => ({ id, createdAt, turns, iterations }))
  return {
    ...state,
    fence,
    waited: 0,
    sessions: state.sessions.map((session): SessionReading => {
      if (!isAsked(session)) return session
      const { turns, iterations } = session
      return {
        ...session,
        asked: { turns: scope.words ? turns : session.asked.turns, iterations: scope.skills ? iterations : session.asked.iterations },
      }
    }),
    review: { fence, until: at + LEASE_MS, scope, asked },
  }
}

/** Undefined if another review has taken over. */
export const renewReview = (state: ReviewState, fence: number, at: number): ReviewState | undefined =>
  state.review?.fence === fence ? { ...state, review: { ...state.review, until: at + LEASE_MS } } : undefined

/** `stopped`: cancelled before the model answered, so nothing was learned. */
export type ReviewFate = 'read' | 'failed' | 'stopped'

export interface ReviewEnd {
  readonly fence: number
  readonly fate: ReviewFate
  /** The last turn of each session that each pass has read. */
  readonly readTo: ReadonlyMap<string, ReadMarks>
  /** Tokens that the review used. */
  readonly tokens: number
  /** Epoch milliseconds. */
  readonly at: number
}

const withRead = (session: SessionReading, { words, everything, skills }: ReviewScope, marks: ReadMarks): SessionReading => {
  const read = { words: words ? marks.words : 0, everything: everything ? marks.everything : 0, skills: skills ? marks.skills : 0 }
  // Turns that did not fit count for the next review.
  const asked = { ...session.asked, ...(words ? { turns: marks.words } : {}) }
  return { ...session, read: further(session.read, read), asked }
}

type Lease = NonNullable<ReviewState['review']>

/** The session's counts from before the review; undefined if the review did not start with this session. */
const askedBefore = ({ asked }: Lease, { id, createdAt }: SessionReading): TurnCounts | undefined => {
  const before = asked.find((each) => each.id === id && each.createdAt === createdAt)
  return before && { turns: before.turns, iterations: before.iterations }
}

const withAskedBefore = (state: ReviewState, review: Lease): ReviewState => ({
  ...state,
  sessions: state.sessions.map((session) => ({ ...session, asked: askedBefore(review, session) ?? session.asked })),
})

/** Cancels the running review, in whichever process: its later writes are refused. */
export const withoutReview = (state: ReviewState): ReviewState => {
  const { review, ...rest } = state
  return review ? withAskedBefore(rest, review) : state
}

const withFailure = (state: ReviewState, at: number): ReviewState => {
  const failures = state.failures + 1
  return { ...state, failures, ...(failures >= MAX_FAILURES ? { pausedUntil: at + PAUSE_MS } : {}) }
}

/** If the clock was set back, the lease does not last until that time. */
const isAlive = ({ until }: Lease, at: number): boolean => at <= until && until - at <= 2 * LEASE_MS

/** A review whose process died returns its turns and is due again. It counts as a failure, since it may have caused the crash. */
export const withoutDeadReview = (state: ReviewState, at: number): ReviewState => {
  const { review, ...rest } = state
  return review === undefined || isAlive(review, at) ? state : withFailure(withAskedBefore(rest, review), at)
}

/** A review of skills alone does not read the turns that a failed one has left: its success does not end their row of failures. */
const leavesFailed = ({ scope }: Lease, sessions: readonly SessionReading[]): boolean =>
  !scope.words && sessions.some(({ asked, read }) => asked.turns > read.words)

/**
 * The only way to end a review; undefined if another one has taken over, and the result is then ignored. A failed review returns its turns but not the
 * counts, so that a model that always fails is not called after every turn. A cancelled review returns both.
 */
export const endReview = (state: ReviewState, { fence, fate, readTo, tokens, at }: ReviewEnd): ReviewState | undefined => {
  const { review, ...rest } = state
  if (review?.fence !== fence) return undefined
  const counted = { ...countTokens(rest, { learning: tokens }, at), lastCost: tokens > 0 ? tokens : rest.lastCost }
  if (fate === 'failed') return withFailure(counted, at)
  if (fate === 'stopped') return withAskedBefore(counted, review)
  const { pausedUntil: _, ...going } = counted
  const sessions = going.sessions.map((session) => {
    const marks = readTo.get(session.id)
    return marks === undefined || !askedBefore(review, session) ? session : withRead(session, review.scope, marks)
  })
  return { ...going, failures: leavesFailed(review, sessions) ? going.failures : 0, sessions }
}

/** Maximum number of whole intervals that a review waits for its budget. */
const MAX_WAITED = 3

export interface LearningLimits {
  /** Maximum share of the host's own tokens that learning may use; undefined: no limit. */
  readonly budget: number | undefined
  readonly maxTokensPerDay: number | undefined
}

/** Why a due review waits. */
export type WaitReason = 'budget' | 'tokens-per-day' | 'breaker'

/** If the clock was set back, the pause does not last until that time. */
const isPaused = ({ pausedUntil: until }: ReviewState, at: number): boolean =>
  until !== undefined && at < until && until - at <= 2 * PAUSE_MS

const waitReason = (state: ReviewState, { why, limits, at }: ReviewQuestion, intervalsDue: number): WaitReason | undefined => {
  const { budget, maxTokensPerDay } = limits
  const today = dayOf(at)
  const spent = state.days.find(({ day }) => day === today)?.learning ?? 0
  // The cost of a review is known only afterwards, so the first one of a day may start.
  if (maxTokensPerDay !== undefined && spent > 0 && spent + state.lastCost > maxTokensPerDay) return 'tokens-per-day'
  if (why === 'request') return undefined
  if (isPaused(state, at)) return 'breaker'
  if (budget === undefined || intervalsDue > MAX_WAITED) return undefined
  const days = state.days.filter(({ day }) => day > today - BUDGET_DAYS)
  const learning = days.reduce((sum, each) => sum + each.learning, state.lastCost)
  return learning > budget * days.reduce((sum, { host }) => sum + host, 0) ? 'budget' : undefined
}

export interface ReviewQuestion {
  /** `turn`: a turn has ended, or the home is maintained while idle. `end`: a session has ended. `request`: a person or the host's code asks. */
  readonly why: 'turn' | 'end' | 'request'
  readonly intervals: NudgeIntervals
  /** Minimum number of unread turns for a review that is not due by count. */
  readonly minTurns: number
  readonly limits: LearningLimits
  /** If no text is stored, a review reads only what the host shows for this session. */
  readonly onlySession?: string | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** Time of the home's previous turn, in epoch milliseconds. */
  readonly before?: number | undefined
}

export type ReviewAnswer =
  | { readonly kind: 'start'; readonly scope: ReviewScope; readonly turns: number; readonly iterations: number }
  | { readonly kind: 'nothing-due'; readonly unreadTurns: number }
  | { readonly kind: 'busy' }
  /** `intervals`: whole intervals counted since the previous review began; 0 if the review is not due by count. */
  | { readonly kind: 'waits'; readonly reason: WaitReason; readonly turns: number; readonly intervals: number }

const sumOf = (sessions: readonly SessionReading[], of: (session: SessionReading) => number): number =>
  sessions.reduce((sum, session) => sum + Math.max(0, of(session)), 0)

const wholeIntervals = (counted: number, interval: number): number => (interval > 0 ? Math.floor(counted / interval) : 0)

/** Whether a review is due, and with which passes. Call `withoutDeadReview` first. */
export const decideReview = (state: ReviewState, question: ReviewQuestion): ReviewAnswer => {
  const { why, intervals, minTurns, onlySession, at, before } = question
  const { memoryInterval, skillInterval } = intervals
  const sessions = onlySession === undefined ? state.sessions : state.sessions.filter(({ id }) => id === onlySession)
  const turns = sumOf(sessions, (session) => session.turns - session.asked.turns)
  const iterations = sumOf(sessions, (session) => session.iterations - session.asked.iterations)
  const unreadTurns = memoryInterval > 0 ? sumOf(sessions, (session) => session.turns - session.read.words) : 0
  const { memory, skill: skills } = decideNudges({ turnsSinceReview: turns, iterationsSinceReview: iterations }, intervals)
  const isIdle = before !== undefined && at - before >= IDLE_AFTER_MS
  const early = (why !== 'turn' || isIdle) && unreadTurns >= Math.max(1, minTurns)
  if (!memory && !skills && !early) return { kind: 'nothing-due', unreadTurns }
  if (state.review) return { kind: 'busy' }
  const due = Math.max(wholeIntervals(turns, memoryInterval), wholeIntervals(iterations, skillInterval))
  const reason = waitReason(state, question, due)
  if (reason) return { kind: 'waits', reason, turns: unreadTurns, intervals: due }
  // Short conversations that each end early reach an interval together.
  const unreadByEverything = sumOf(sessions, (session) => session.turns - session.read.everything)
  const everything = memory || (early && unreadByEverything >= memoryInterval)
  return { kind: 'start', scope: { words: memory || early, everything, skills }, turns, iterations }
}

export interface ReviewAsk extends ReviewQuestion {
  /** What a session saves in the same update. */
  readonly saved?: SavedCounts | undefined
  /** Tokens of the host's own calls since they were last counted. Default 0. */
  readonly hostTokens?: number | undefined
  /** False: counts only. */
  readonly mayStart: boolean
  /** True: the queue has its own entry for a home that was idle before this turn. */
  readonly isQueued?: boolean | undefined
}

export interface AskedReview {
  /** As it is afterwards; no review has begun. */
  readonly state: ReviewState
  readonly answer: ReviewAnswer
  /** True the first time that this wait is reported. */
  readonly isFirstReport: boolean
  /** Time of the home's newest turn before, in epoch milliseconds. */
  readonly before: number | undefined
}

/** Counts what was saved, and decides whether a review is due. `before` of the question: default the newest turn that the state knows. */
export const askForReview = (
  current: ReviewState,
  { saved, hostTokens = 0, mayStart, isQueued = false, ...question }: ReviewAsk,
): AskedReview => {
  const { at } = question
  const before = isQueued ? undefined : (question.before ?? newestTurnAt(current))
  const alive = withoutDeadReview(countTokens(current, { host: hostTokens }, at), at)
  const state = saved ? noteSession(alive, saved, at) : alive
  if (!mayStart) return { state, answer: { kind: 'nothing-due', unreadTurns: 0 }, isFirstReport: false, before }
  const answer = decideReview(state, { ...question, before })
  const isFirstReport = answer.kind === 'waits' && answer.intervals > state.waited
  return { state: isFirstReport ? { ...state, waited: answer.intervals } : state, answer, isFirstReport, before }
}
