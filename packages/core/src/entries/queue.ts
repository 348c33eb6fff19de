/** For servers that let a worker run the reviews, and for those who write a queue of reviews. */
export { ownerPath } from '../homes/owner.ts'
export { checkClaimEnd, checkClaimOptions, checkLease, checkQueuedReview, checkQueueOwner } from '../queue/guarded-queue.ts'
export type {
  ClaimEnd,
  ClaimOptions,
  QueuedReview,
  QueuedReviewKind,
  QueueStats,
  ReviewClaim,
  ReviewQueue,
} from '../queue/review-queue.ts'
export type { WorkOutcome } from '../session/work-review.ts'
export type { WorkedReview, WorkOptions, WorkReport } from '../work-reviews.ts'
