/** The conformance suite for queues of due reviews: run it against your own in a vitest file. */
import { describe } from 'vitest'
import { claimPromises } from './review-queue-conformance/claim-promises.ts'
import { concurrencyPromises } from './review-queue-conformance/concurrency-promises.ts'
import { entryPromises } from './review-queue-conformance/entry-promises.ts'
import type { CreateReviewQueueHarness, ReviewQueueCapabilities } from './review-queue-conformance/queue-harness.ts'

/** `create` makes an empty queue for each test. `processes: false` leaves out the case with child processes. */
export const reviewQueueConformance = (
  name: string,
  create: CreateReviewQueueHarness,
  capabilities: ReviewQueueCapabilities = {},
): void => {
  const all = { processes: true, extent: 'whole' as const, claimers: 8, ...capabilities }
  describe(`review queue conformance: ${name}`, () => {
    entryPromises(create, all)
    claimPromises(create, all)
    concurrencyPromises(create, all)
  })
}
