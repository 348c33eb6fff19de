/** The conformance suite for queues of due reviews: run it against your own in a vitest file. */
import { describe } from 'vitest'
import { concurrencyCases } from './review-queue-conformance/claimers.ts'
import { claimCases } from './review-queue-conformance/claims.ts'
import { entryCases } from './review-queue-conformance/entries.ts'
import type { CreateReviewQueueHarness, ReviewQueueCapabilities } from './review-queue-conformance/queue-test.ts'

/** `create` makes an empty queue for each test. `processes: false` leaves out the case with child processes. */
export const reviewQueueConformance = (
  name: string,
  create: CreateReviewQueueHarness,
  capabilities: ReviewQueueCapabilities = {},
): void => {
  const all = { processes: true, extent: 'whole' as const, claimers: 8, ...capabilities }
  describe(`review queue conformance: ${name}`, () => {
    entryCases(create, all)
    claimCases(create, all)
    concurrencyCases(create, all)
  })
}
