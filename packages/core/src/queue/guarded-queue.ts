/** A queue that never throws: whatever the given one throws or rejects with becomes an error result. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { ReviewQueue } from './review-queue.ts'

const guard = async <T>(call: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await call()
  } catch (cause) {
    if (HermesError.isInstance(cause)) return err(cause)
    return err(new HermesError('io', `The queue of reviews threw instead of answering with an error: ${String(cause)}`, { cause }))
  }
}

/** Database drivers may throw; that must not break a turn or a worker. */
export const guardedQueue = (queue: ReviewQueue): ReviewQueue => ({
  add: (review) => guard(() => queue.add(review)),
  claim: (options) => guard(() => queue.claim(options)),
  renew: (claim, leaseMs) => guard(() => queue.renew(claim, leaseMs)),
  end: (claim, end) => guard(() => queue.end(claim, end)),
  remove: (owner) => guard(() => queue.remove(owner)),
  stats: () => guard(() => queue.stats()),
  close: () => queue.close(),
})
