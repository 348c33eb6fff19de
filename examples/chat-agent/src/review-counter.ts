/** How many turns remain to the next review of memory, over all sessions of the home. */

import type { HermesEvent, StorageBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'
import { z } from 'zod'

/** What it needs of the home's review state: turns so far, and those that reviews were asked for. */
const stateSchema = z.object({ sessions: z.array(z.object({ turns: z.number(), asked: z.object({ turns: z.number() }) })) })

const countWaiting = (bytes: Uint8Array): number => {
  const state = stateSchema.parse(JSON.parse(new TextDecoder().decode(bytes)))
  return state.sessions.reduce((sum, { turns, asked }) => sum + Math.max(0, turns - asked.turns), 0)
}

/** `interval`: turns between two reviews; 0 = off. Turns of other programs count from the next start on. */
export const createReviewCounter = (interval: number) => {
  let waiting = 0
  let underReview = 0
  return {
    /** A home that cannot be read counts from 0. */
    load: async (storage: StorageBackend): Promise<void> => {
      const read = await readDocument(storage, 'sessions/.reviews.json')
      try {
        if (read.ok && read.value !== undefined) waiting = countWaiting(read.value.bytes)
      } catch {
        // Another version of the format: the count begins anew.
      }
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
