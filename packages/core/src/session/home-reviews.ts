/**
 * The reviews of one home, across processes: which one is due, which one runs, what it reads, and which turns count as read. One at a time, by a lease in
 * `sessions/.reviews.json`; a review that has lost its lease can no longer write.
 */
import { decideReview, type LearningLimits, type ReviewAnswer } from '../nudge/decide-review.ts'
import { MAX_FAILURES, postponeReview, startReview, withoutDeadReview, withoutReview } from '../nudge/review-lease.ts'
import {
  countTokens,
  IDLE_AFTER_MS,
  newestTurnAt,
  noteSession,
  type ReviewState,
  type SavedCounts,
  type SessionReading,
  withoutSession,
} from '../nudge/review-state.ts'
import type { NudgeIntervals, ReadMarks } from '../nudge/turn-counts.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { type BegunReview, begunReview } from './begun-review.ts'
import { clearRecords, collectTurns, findUnreadSessions } from './collect-turns.ts'
import type { DueReview } from './due-review.ts'
import { reviewStateStore } from './review-state-store.ts'

export interface HomeReviewsOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly intervals: NudgeIntervals
  /** Minimum number of unread turns for a review at the end of a session, of an idle home, or on request. */
  readonly minTurns: number
  readonly limits: LearningLimits
  /** True: unread text is stored. False: a review reads only what the host shows. */
  readonly keepText: boolean
  readonly onFailure: (operation: string, error: HermesError) => void
}

/** What prompted the question whether a review is due. */
export interface ReviewOccasion {
  /** See `ReviewQuestion.why`. */
  readonly why: 'turn' | 'end' | 'request'
  /** Counts that the session has just saved. */
  readonly saved?: SavedCounts | undefined
  /** Messages that the host showed for the newest turn. */
  readonly shown?: readonly TurnMessage[] | undefined
  /** Text from outside was in sight before the shown messages. */
  readonly tainted?: boolean
  /** Tokens of the host's own calls since they were last reported. */
  readonly hostTokens?: number
  readonly minTurns?: number | undefined
  /** False: only counts, starts no review. Default true. */
  readonly mayStart?: boolean
  /** True: a worker runs the review, so that a due one is only reported. A home that was idle before this turn has an entry in the queue. Default false. */
  readonly isQueued?: boolean
}

/** What a worker needs to know of a home. */
export interface ReviewTimes {
  /** Epoch milliseconds at which the home counts as idle; undefined if it has no turns. */
  readonly idleAt: number | undefined
  /** Epoch milliseconds until which no review starts after too many failures; undefined if none failed. */
  readonly pausedUntil: number | undefined
  /** A review has begun and has not ended, or its process died. Its turns do not count as due. */
  readonly isReviewing: boolean
}

export type BeginAnswer =
  | { readonly kind: 'begun'; readonly review: BegunReview }
  /** If `isQueued`. `fence`: number of the home's newest review. */
  | { readonly kind: 'due'; readonly fence: number }
  /** `isFirstReport`: true the first time that this wait is reported. */
  | (Extract<ReviewAnswer, { kind: 'waits' }> & { readonly isFirstReport: boolean })
  | Exclude<ReviewAnswer, { kind: 'start' } | { kind: 'waits' }>

export interface HomeReviews {
  /** Adds the saved counts, and takes the lease if a review is due. */
  begin(occasion: ReviewOccasion): Promise<Result<BeginAnswer>>
  times(): Promise<Result<ReviewTimes>>
  /** Searches all records for turns that were saved by a process that died before it could report them. */
  findUnread(): Promise<Result<void>>
  /** Cancels the running review, in whichever process; it becomes due again. */
  revoke(): Promise<Result<void>>
  /** Removes everything the review state holds about the session. */
  forgetSession(id: string): Promise<Result<void>>
}

export const homeReviews = (options: HomeReviewsOptions): HomeReviews => {
  const { storage, clock, intervals, minTurns: leastTurns, limits, keepText, onFailure } = options

  // The broken state is lost; it is rebuilt from the session records.
  let isLost = false
  const onBroken = (problem: HermesError) => {
    isLost = true
    onFailure('read reviews', problem)
  }
  const state = reviewStateStore({ storage, clock, onBroken })

  const clear = async (readings: readonly SessionReading[], gone: readonly SessionReading[]): Promise<void> => {
    const noted = await state.update(await clearRecords(readings, gone, { storage, intervals, onFailure }))
    if (!noted.ok) onFailure('save reviews', noted.error)
  }

  const openReview = (due: DueReview, readTo: ReadonlyMap<string, ReadMarks>, gone: readonly SessionReading[]): BegunReview =>
    begunReview(due, readTo, { state, clock, clear: (readings) => clear(readings, gone) })

  /** The turns that the review reads; undefined if none are left. */
  const collect = async (
    { fence, sessions, failures }: ReviewState,
    { scope, turns, iterations }: Extract<ReviewAnswer, { kind: 'start' }>,
    { saved, shown = [], tainted = false }: ReviewOccasion,
  ): Promise<BegunReview | undefined> => {
    const tries = { isLastTry: !keepText || failures + 1 >= MAX_FAILURES, isRetry: keepText && failures > 0 }
    const known = { fence, scope, turns, iterations, shown, tainted, ...tries }
    if (!keepText) {
      if (saved === undefined) return undefined
      const conversation = [{ sessionId: saved.id, messages: shown, tainted, readers: scope }]
      return openReview(
        { ...known, conversation, loadedSkills: [] },
        new Map([[saved.id, { words: saved.turns, everything: saved.turns, skills: saved.turns }]]),
        [],
      )
    }
    const { readTo, gone, ...read } = await collectTurns(storage, sessions, {
      scope,
      newest: saved?.id,
      onProblem: (problem) => onFailure('load session', problem),
    })
    const review = openReview({ ...known, ...read }, readTo, gone)
    if (read.conversation.length > 0) return review
    const ended = await review.end('read', 0)
    if (!ended.ok) onFailure('save reviews', ended.error)
    return undefined
  }

  const begin = async (occasion: ReviewOccasion): Promise<Result<BeginAnswer>> => {
    const { why, saved, hostTokens = 0, minTurns = leastTurns, mayStart = true, isQueued = false } = occasion
    const at = clock()
    let answer: ReviewAnswer = { kind: 'nothing-due', unreadTurns: 0 }
    let isFirstReport = false
    let started: ReviewState | undefined
    let fence = 0
    const onlySession = keepText ? undefined : saved?.id
    const updated = await state.update((current) => {
      const before = isQueued ? undefined : newestTurnAt(current)
      const alive = withoutDeadReview(countTokens(current, { host: hostTokens }, at), at)
      const counted = saved ? noteSession(alive, saved, at) : alive
      // If no text is stored, there is something to read only when a session has just saved and shows it.
      if (!mayStart || (!keepText && saved === undefined)) return counted
      answer = decideReview(counted, { why, intervals, minTurns, limits, onlySession, at, before })
      isFirstReport = answer.kind === 'waits' && answer.intervals > counted.waited
      fence = counted.fence
      started = answer.kind === 'start' && !isQueued ? startReview(counted, answer.scope, at, onlySession) : undefined
      return started ?? (answer.kind === 'waits' && isFirstReport ? postponeReview(counted, answer.intervals) : counted)
    })
    if (!updated.ok) return updated
    // The compiler does not track assignments inside a closure.
    const decided = answer as ReviewAnswer
    if (decided.kind === 'waits') return ok({ ...decided, isFirstReport })
    if (isQueued && (decided.kind === 'start' || decided.kind === 'busy')) return ok({ kind: 'due', fence })
    if (decided.kind !== 'start') return ok(decided)
    const review = started && (await collect(started, decided, occasion))
    return ok(review ? { kind: 'begun', review } : { kind: 'nothing-due', unreadTurns: 0 })
  }

  const findUnread = async (): Promise<Result<void>> => {
    const found = await findUnreadSessions(storage, (problem) => onFailure('load session', problem))
    if (!found.ok) return found
    const at = clock()
    return state.update((current) => {
      const isKnown = ({ id, createdAt, turns }: SavedCounts) =>
        current.sessions.some((session) => session.id === id && session.createdAt === createdAt && session.turns >= turns)
      return found.value.filter((counts) => !isKnown(counts)).reduce((next, counts) => noteSession(next, counts, at), current)
    })
  }

  return {
    async begin(occasion) {
      const begun = await begin(occasion)
      if (!isLost || !begun.ok || begun.value.kind === 'begun') return begun
      const found = await findUnread()
      if (!found.ok) return found
      isLost = false
      return begin({ ...occasion, hostTokens: 0 })
    },

    async times() {
      const found = await state.read()
      if (!found.ok) return found
      const newestAt = newestTurnAt(found.value)
      const { pausedUntil, review } = found.value
      return ok({ idleAt: newestAt === undefined ? undefined : newestAt + IDLE_AFTER_MS, pausedUntil, isReviewing: review !== undefined })
    },

    findUnread,

    revoke: () => state.update((current) => (current.review ? withoutReview(current) : undefined)),

    forgetSession: (id) =>
      state.update((current) => (current.sessions.some((session) => session.id === id) ? withoutSession(current, id) : undefined)),
  }
}
