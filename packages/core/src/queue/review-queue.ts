/**
 * The port of a queue of due reviews, so that any process can run a review that another one saw becoming due. A queue only finds reviews: whether one is due, and
 * what it reads, is decided by the home when the review starts. Test your own with `reviewQueueConformance` from `@hermes/testing`.
 */
import type { OwnerId } from '../homes/owner.ts'
import type { Result } from '../shared/result.ts'

/** Why a review was added. `turns`: due by count. `end`: a session ended. `idle`: due once the home has had no turn for 30 minutes. */
export type QueuedReviewKind = 'turns' | 'end' | 'idle'

/** One owner has at most one entry of each kind. */
export interface QueuedReview {
  /** Undefined for a storage with a single home. */
  readonly owner?: OwnerId | undefined
  readonly kind: QueuedReviewKind
  /** Epoch milliseconds. */
  readonly dueAt: number
}

export interface ReviewClaim extends QueuedReview {
  /** Higher than the fence of every earlier claim of this owner and kind, also if the entry was removed and added again in between. */
  readonly fence: number
  /** The claims since the last one that ended with `done` or without `failed`, this one included: 1 for the first. */
  readonly attempts: number
}

export interface ClaimOptions {
  /** Maximum number of entries, 1 or more. */
  readonly limit: number
  /** Milliseconds, 1 or more, after which the entry may be claimed again, counted from the claim or its last renewal. */
  readonly leaseMs: number
}

/**
 * `done`: the entry goes. `againAt`: it is due again at that time (epoch milliseconds), because it was too early or, with `failed`, because the review failed and is
 * tried again.
 */
export type ClaimEnd = 'done' | { readonly againAt: number; readonly failed?: boolean }

export interface QueueStats {
  /** Entries without a living claim, whether or not they are due. */
  readonly waiting: number
  /** Entries with a living claim. */
  readonly claimed: number
  /** The earliest `dueAt` of the waiting entries, in epoch milliseconds; undefined if there are none. */
  readonly oldestDueAt: number | undefined
}

/**
 * Contract, for every method: arguments outside the stated ranges are an `invalid` error and change nothing; what a method reports as done survives the death of the
 * process; after `close` every method fails with `closed`.
 *
 * Contract, on time: all handles count due times and leases by one clock, that of the server, or of the machine if there is none. A queue that machines share without a
 * server is not possible: their clocks differ.
 */
export interface ReviewQueue {
  /**
   * Contract: adds an entry if the owner has none of this kind; otherwise the earlier due time wins. If the entry is claimed, it stays after the claim and is due again at
   * the added time, whichever way the claim ends. After a failure the time of the next attempt stays, since it covers the addition; but if it is more than
   * two days later than the added time, a wrong clock gave it, and the added time wins. Resolves when the entry is stored.
   */
  add(review: QueuedReview): Promise<Result<void>>
  /**
   * Contract: takes entries that are due, the one due longest first, at most one of each owner per call; an entry whose owner has another living claim
   * may wait for the end of that one. No entry has two living claims, whatever process or machine asks. A claim lives until it ends or its lease has passed since the claim or its last renewal.
   */
  claim(options: ClaimOptions): Promise<Result<readonly ReviewClaim[]>>
  /** Contract: the claim lives for another `leaseMs` from now; `superseded` if the entry was claimed again or removed. A lease that has passed is renewed if nobody took it. */
  renew(claim: ReviewClaim, leaseMs: number): Promise<Result<void>>
  /** Contract: ends the claim; `superseded`, and nothing changes, if the entry was claimed again, removed, or this claim has ended already. */
  end(claim: ReviewClaim, end: ClaimEnd): Promise<Result<void>>
  /** Contract: removes every entry of the owner, claimed ones included. Removing nothing is no error. */
  remove(owner: OwnerId | undefined): Promise<Result<void>>
  stats(): Promise<Result<QueueStats>>
  /** Contract: waits for calls in progress. Closing twice is safe. */
  close(): Promise<void>
}
