/** The one review of a home: how it begins, keeps its place, ends, or is given back, in the state of the home's reviews. Pure. */
import {
  countTokens,
  further,
  type ReadMarks,
  type ReviewScope,
  type ReviewState,
  type SessionReading,
  type TurnCounts,
} from './review-state.ts'

/** Without a renewal for so long, the process of a review counts as dead. Milliseconds. */
export const LEASE_MS = 60_000
/** So many failures in a row pause the reviews that start by themselves. */
export const MAX_FAILURES = 3
/** Milliseconds. */
export const PAUSE_MS = 60 * 60_000

/** With a lease of its own; what it is to read counts no more. */
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

/** A due review waits for so many whole intervals now. */
export const postponeReview = (state: ReviewState, waited: number): ReviewState => ({ ...state, waited })

/** Undefined where another review has taken over. */
export const renewReview = (state: ReviewState, fence: number, at: number): ReviewState | undefined =>
  state.review?.fence === fence ? { ...state, review: { ...state.review, until: at + LEASE_MS } } : undefined

/** `stopped`: called off before its model had answered; nothing was learned from it. */
export type ReviewFate = 'read' | 'failed' | 'stopped'

export interface ReviewEnd {
  readonly fence: number
  readonly fate: ReviewFate
  /** Up to which turn of each session each of its passes has read. */
  readonly readTo: ReadonlyMap<string, ReadMarks>
  /** Tokens that it took. */
  readonly tokens: number
  /** Epoch milliseconds. */
  readonly at: number
}

const withRead = (session: SessionReading, { words, everything, skills }: ReviewScope, marks: ReadMarks): SessionReading => {
  const read = { words: words ? marks.words : 0, everything: everything ? marks.everything : 0, skills: skills ? marks.skills : 0 }
  // What found no room in it counts for the next one.
  const asked = { ...session.asked, ...(words ? { turns: marks.words } : {}) }
  return { ...session, read: further(session.read, read), asked }
}

type Lease = NonNullable<ReviewState['review']>

/** What had been asked for of the record before; undefined where the review has not begun with this one. */
const askedBefore = ({ asked }: Lease, { id, createdAt }: SessionReading): TurnCounts | undefined => {
  const before = asked.find((each) => each.id === id && each.createdAt === createdAt)
  return before && { turns: before.turns, iterations: before.iterations }
}

const withAskedBefore = (state: ReviewState, review: Lease): ReviewState => ({
  ...state,
  sessions: state.sessions.map((session) => ({ ...session, asked: askedBefore(review, session) ?? session.asked })),
})

/** The review under way is called off, in whichever process it runs: nothing it writes from now on is taken. */
export const withoutReview = (state: ReviewState): ReviewState => {
  const { review, ...rest } = state
  return review ? withAskedBefore(rest, review) : state
}

const withFailure = (state: ReviewState, at: number): ReviewState => {
  const failures = state.failures + 1
  return { ...state, failures, ...(failures >= MAX_FAILURES ? { pausedUntil: at + PAUSE_MS } : {}) }
}

/** The clock may have been set back since: then it does not stay for as long as that. */
const isAlive = ({ until }: Lease, at: number): boolean => at <= until && until - at <= 2 * LEASE_MS

/** A review whose process died gives back all of it, and is due again; it counts as a failure, in case it is what its process died of. */
export const withoutDeadReview = (state: ReviewState, at: number): ReviewState => {
  const { review, ...rest } = state
  return review === undefined || isAlive(review, at) ? state : withFailure(withAskedBefore(rest, review), at)
}

/**
 * The one moment at which a review counts as over; undefined where another one has taken over, and then it counts for nothing. One that failed gives back what it
 * was to read, but not the counts, so that a model that always fails is not asked after every turn. One that was called off gives back both.
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
  return { ...going, failures: 0, sessions }
}
