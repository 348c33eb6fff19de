/** Guards both sides of a queue of reviews: checks what JavaScript callers pass, and turns what an implementation throws into errors. */
import { type OwnerId, toOwnerId } from '../homes/owner.ts'
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ClaimEnd, ClaimOptions, QueuedReview, QueuedReviewKind, ReviewQueue } from './review-queue.ts'

const KINDS: readonly QueuedReviewKind[] = ['turns', 'end', 'idle']

const invalid = (message: string) => err(new HermesError('invalid', message))

const isTime = (value: unknown): boolean => Number.isFinite(value)

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

/** `undefined` is the owner of a storage with a single home. */
export const checkQueueOwner = (owner: OwnerId | undefined): Result<OwnerId | undefined> => {
  if (owner === undefined) return ok(undefined)
  try {
    return ok(toOwnerId(owner))
  } catch (cause) {
    return err(new HermesError('invalid', messageOf(cause), { cause }))
  }
}

export const checkQueuedReview = ({ owner, kind, dueAt }: QueuedReview): Result<QueuedReview> => {
  const checked = checkQueueOwner(owner)
  if (!checked.ok) return checked
  if (!KINDS.includes(kind)) return invalid(`The kind of a queued review is one of ${KINDS.join(', ')}.`)
  if (!isTime(dueAt)) return invalid(`'dueAt' must be a time in epoch milliseconds.`)
  return ok({ owner: checked.value, kind, dueAt })
}

export const checkLease = (leaseMs: number): Result<number> =>
  isWhole(leaseMs) ? ok(leaseMs) : invalid(`'leaseMs' must be a whole number of milliseconds, 1 or more.`)

export const checkClaimOptions = (options: ClaimOptions): Result<ClaimOptions> => {
  if (!isWhole(options.limit)) return invalid(`'limit' must be a whole number of entries, 1 or more.`)
  const lease = checkLease(options.leaseMs)
  return lease.ok ? ok(options) : lease
}

export const checkClaimEnd = (end: ClaimEnd): Result<ClaimEnd> =>
  end === 'done' || isTime(end?.againAt) ? ok(end) : invalid(`A claim ends with 'done' or { againAt }, a time in epoch milliseconds.`)

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
