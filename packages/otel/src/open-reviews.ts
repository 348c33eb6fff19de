/** The reviews in progress: at most 1,000, and each for at most an hour. */
import type { Span } from '@opentelemetry/api'

const MAX_OPEN = 1_000
const MAX_AGE_MS = 60 * 60 * 1_000

export interface OpenReview {
  readonly span: Span
  /** Epoch milliseconds. */
  readonly startedAt: number
}

export interface OpenReviews {
  readonly add: (key: string, review: OpenReview) => void
  readonly find: (key: string) => OpenReview | undefined
  /** Removes and returns the review. */
  readonly take: (key: string) => OpenReview | undefined
  /** Abandons reviews older than an hour. `now`: epoch milliseconds. */
  readonly tidy: (now: number) => void
}

/** `abandon` is called with each review that is dropped: too old, above the limit, or replaced by a newer one with the same key. */
export const openReviews = (abandon: (review: OpenReview) => void): OpenReviews => {
  // Insertion order, so the first is the oldest.
  const open = new Map<string, OpenReview>()

  const take = (key: string): OpenReview | undefined => {
    const review = open.get(key)
    open.delete(key)
    return review
  }

  const dropWhile = (isDropped: (oldest: OpenReview) => boolean): void => {
    for (const [key, review] of open) {
      if (!isDropped(review)) return
      open.delete(key)
      abandon(review)
    }
  }

  return {
    add: (key, review) => {
      const earlier = take(key)
      if (earlier) abandon(earlier)
      open.set(key, review)
      dropWhile(() => open.size > MAX_OPEN)
    },
    find: (key) => open.get(key),
    take,
    tidy: (now) => dropWhile(({ startedAt }) => now - startedAt > MAX_AGE_MS),
  }
}
