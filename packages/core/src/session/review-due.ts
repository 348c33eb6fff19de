/** Whether a review is due, for a host that starts a process for it. Pure. */
import { decideReview, type WaitReason, withoutDeadReview } from '../nudge/decide-review.ts'
import { BUDGET_DAYS, dayOf, EMPTY_REVIEW_STATE, newestTurnAt, type ReviewState } from '../nudge/review-state.ts'
import type { SessionOptions } from './session-home.ts'

export interface ReviewDue {
  /** True if a review is due and may start now: by count, or since the home was idle for 30 minutes. */
  readonly due: boolean
  /** Turns that no review of memory has read. */
  readonly unreadTurns: number
  /** A review is running, in whichever process. */
  readonly reviewing: boolean
  /** Why a due review has to wait. */
  readonly waits?: WaitReason
  /** Of the last seven days: of the host's own calls, and of reviews. */
  readonly tokens: { readonly host: number; readonly reviews: number }
}

/** `current`: undefined if nothing was counted yet. `at`: epoch milliseconds. */
export const toReviewDue = (
  current: ReviewState = EMPTY_REVIEW_STATE,
  { intervals, minTurns, limits }: Pick<SessionOptions, 'intervals' | 'minTurns' | 'limits'>,
  at: number,
): ReviewDue => {
  const state = withoutDeadReview(current, at)
  const answer = decideReview(state, { why: 'turn', intervals, minTurns, limits, at, before: newestTurnAt(state) })
  const days = state.days.filter(({ day }) => day > dayOf(at) - BUDGET_DAYS)
  return {
    due: answer.kind === 'start',
    unreadTurns: state.sessions.reduce((sum, { turns, read }) => sum + Math.max(0, turns - read.words), 0),
    reviewing: state.review !== undefined,
    ...(answer.kind === 'waits' ? { waits: answer.reason } : {}),
    tokens: {
      host: days.reduce((sum, { host }) => sum + host, 0),
      reviews: days.reduce((sum, { learning }) => sum + learning, 0),
    },
  }
}
