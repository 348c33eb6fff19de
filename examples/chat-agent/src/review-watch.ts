/** Knows which review is under way in this process, so that a person who waits for one is told. */
import type { HermesEvent } from '@hermes/core'
import type { ReviewStart } from './describe-review.ts'

export interface ReviewWatch {
  see(event: HermesEvent): void
  /** Calls `tell` once: for the review under way, else for the first that starts before the returned function is called. */
  tellNext(tell: (start: ReviewStart) => void): () => void
}

export const createReviewWatch = (): ReviewWatch => {
  let underWay: ReviewStart | undefined
  let waiting: ((start: ReviewStart) => void) | undefined
  return {
    see: (event) => {
      if (event.type === 'review-finished' || event.type === 'review-failed' || event.type === 'review-stopped') underWay = undefined
      if (event.type !== 'review-started') return
      underWay = event
      waiting?.(event)
      waiting = undefined
    },
    tellNext: (tell) => {
      if (underWay) tell(underWay)
      else waiting = tell
      return () => {
        waiting = undefined
      }
    },
  }
}
