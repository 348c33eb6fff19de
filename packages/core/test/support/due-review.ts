/** A review that has begun, without the state of a home behind it. */
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { BegunReview } from '../../src/session/begun-review.ts'
import type { DueReview, TurnToRead } from '../../src/session/due-review.ts'
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
  shown: [],
  tainted: false,
  loadedSkills: [],
  ...change,
})

/** It may write and is never superseded. `ends`: how it ended, with its tokens. */
export const begunReviewOf = (due: DueReview, change: Partial<BegunReview> = {}) => {
  const ends: (readonly [fate: string, tokens: number])[] = []
  const review: BegunReview = {
    due,
    mayWrite: async () => ok({ until: Number.MAX_SAFE_INTEGER }),
    renew: async () => ok(undefined),
    ...change,
    end: async (fate, tokens) => {
      ends.push([fate, tokens])
      return change.end ? change.end(fate, tokens) : ok({})
    },
  }
  return { review, ends }
}
