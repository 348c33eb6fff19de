/** A review that has begun, without the state of a home behind it. */
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { HomeReviews } from '../../src/session/home-reviews.ts'
import type { BegunReview, DueReview, TurnToRead } from '../../src/session/review-request.ts'
import { ok } from '../../src/shared/result.ts'

export const ALL_PASSES = { words: true, everything: true, skills: true }

export const turnToRead = (sessionId: string, ...messages: readonly TurnMessage[]): TurnToRead => ({
  sessionId,
  messages,
  readers: ALL_PASSES,
})

export const dueReview = (change: Partial<DueReview> = {}): DueReview => ({
  fence: 1,
  scope: ALL_PASSES,
  isLastTry: false,
  isRetry: false,
  turns: 1,
  iterations: 0,
  conversation: [],
  failedUses: [],
  shown: [],
  tainted: false,
  loadedSkills: [],
  ...change,
})

export const begunReviewOf = (due: DueReview): BegunReview => ({ due, readTo: new Map(), gone: [] })

type Lease = Pick<HomeReviews, 'holding' | 'reading' | 'renew' | 'end'>

/** A lease that is never lost. `ends`: how the review ended, with its tokens. */
export const leaseOf = (change: Partial<Lease> = {}) => {
  const ends: (readonly [fate: string, tokens: number])[] = []
  const until = Number.MAX_SAFE_INTEGER
  const lease: Lease = {
    holding: () => ({ paths: ['sessions/.reviews.json'], plan: () => ({ value: undefined }) }),
    renew: async () => ok({ until }),
    ...change,
    reading: (review, tokens) => {
      ends.push(['read', tokens])
      return change.reading?.(review, tokens) ?? lease.holding(review)
    },
    end: async (review, fate, tokens) => {
      ends.push([fate, tokens])
      return change.end ? change.end(review, fate, tokens) : ok({})
    },
  }
  return { lease, ends }
}
