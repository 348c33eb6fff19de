/**
 * Decides whether a review is due now, by count, at the end of a session, in an idle home or on request; which passes it has; and whether it must wait. Pure.
 */
import { PAUSE_MS, postponeReview, withoutDeadReview } from './review-lease.ts'
import {
  BUDGET_DAYS,
  countTokens,
  dayOf,
  decideNudges,
  IDLE_AFTER_MS,
  type NudgeIntervals,
  newestTurnAt,
  noteSession,
  type ReviewScope,
  type ReviewState,
  type SavedCounts,
  type SessionReading,
} from './review-state.ts'

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
  return { state: isFirstReport ? postponeReview(state, answer.intervals) : state, answer, isFirstReport, before }
}
