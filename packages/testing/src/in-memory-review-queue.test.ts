import { QUEUE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { manualClock } from './doubles.ts'
import { type InMemoryReview, inMemoryReviewQueue } from './in-memory-review-queue.ts'
import { reviewQueueConformance } from './review-queue-conformance.ts'

reviewQueueConformance(
  'in memory',
  async () => {
    const clock = manualClock()
    const entries = new Map<string, InMemoryReview>()
    return {
      open: async () => inMemoryReviewQueue({ clock, entries }),
      now: clock,
      pass: async (ms) => clock.advance(ms),
      dispose: async () => entries.clear(),
    }
  },
  { ...QUEUE_ROUNDS, processes: false },
)
