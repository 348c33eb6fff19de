/** The lease of a home's only review: starting, renewing, ending and cancelling it. Pure functions of the review state. */
import {
  countTokens,
  further,
  type ReadMarks,
  type ReviewScope,
  type ReviewState,
  type SessionReading,
  type TurnCounts,
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

/** Records how many whole intervals a due review has waited. */
export const postponeReview = (state: ReviewState, waited: number): ReviewState => ({ ...state, waited })

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
