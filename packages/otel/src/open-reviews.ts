/** The reviews that have started and not ended, at most 1,000 and each for at most an hour. */
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
  /** Removes and answers it. */
  readonly take: (key: string) => OpenReview | undefined
  /** Gives up what is older than an hour at `now`, in epoch milliseconds. */
  readonly tidy: (now: number) => void
}

/** `abandon` is called with each review that is given up: too old, one too many, or followed by another of the same key. */
export const openReviews = (abandon: (review: OpenReview) => void): OpenReviews => {
  // In the order in which they were added, so the first is the oldest.
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
