/** How many turns remain to the next review of memory, over all sessions of the home. */

import type { Hermes, HermesEvent } from '@hermes/core'

/** `interval`: turns between two reviews; 0 = off. Turns of other programs count from the next start on. */
export const createReviewCounter = (interval: number) => {
  let waiting = 0
  let underReview = 0
  return {
    /** A home that cannot be read counts from 0. */
    load: async (hermes: Hermes): Promise<void> => {
      const due = await hermes.reviewDue()
      if (due.ok) waiting = due.value.unreadTurns
    },
    countTurn: (): void => {
      waiting++
    },
    see: (event: HermesEvent): void => {
      if (event.type === 'review-started' && event.reviews !== 'skills') {
        underReview = event.turns
        // The turn that is just ending may not be counted yet.
        waiting = Math.max(-1, waiting - event.turns)
      }
      if (event.type === 'review-stopped') waiting += underReview
      if (event.type === 'review-stopped' || event.type === 'review-finished') underReview = 0
    },
    /** At least 1; undefined if no review comes by itself. */
    remaining: (): number | undefined => (interval === 0 ? undefined : Math.min(interval, Math.max(1, interval - waiting))),
  }
}

export type ReviewCounter = ReturnType<typeof createReviewCounter>
