/** Checks the arguments of a queue of reviews, since JavaScript callers may pass anything. */
import { type OwnerId, toOwnerId } from '../homes/owner.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { QUEUED_REVIEW_KINDS } from './queue-shard.ts'
import type { ClaimEnd, ClaimOptions, QueuedReview } from './review-queue.ts'

const invalid = (message: string) => err(new HermesError('invalid', message))

const isTime = (value: unknown): boolean => Number.isFinite(value)

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

/** `undefined` is the owner of a storage with a single home. */
export const checkQueueOwner = (owner: OwnerId | undefined): Result<OwnerId | undefined> => {
  if (owner === undefined) return ok(undefined)
  try {
    return ok(toOwnerId(owner))
  } catch (cause) {
    return err(new HermesError('invalid', cause instanceof Error ? cause.message : String(cause), { cause }))
  }
}

export const checkQueuedReview = ({ owner, kind, dueAt }: QueuedReview): Result<QueuedReview> => {
  const checked = checkQueueOwner(owner)
  if (!checked.ok) return checked
  if (!QUEUED_REVIEW_KINDS.includes(kind)) return invalid(`The kind of a queued review is one of ${QUEUED_REVIEW_KINDS.join(', ')}.`)
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
