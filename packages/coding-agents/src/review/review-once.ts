/**
 * The queue of a host that starts a process for a review: it notes that one is due, and gives the process its only entry. Whether there is anything to review is decided
 * by the home when the process looks.
 */
import { ok, systemClock } from '@hermes/core'
import type { QueuedReview, QueuedReviewKind, ReviewClaim, ReviewQueue } from '@hermes/core/queue'

export class ReviewOnce implements ReviewQueue {
  /** The kind of the review that is due; undefined if none is. */
  due: QueuedReviewKind | undefined
  /** When a review becomes due if nothing happens until then, in epoch milliseconds. */
  idleAt: number | undefined

  constructor(due?: QueuedReviewKind) {
    this.due = due
  }

  async add({ kind, dueAt }: QueuedReview): ReturnType<ReviewQueue['add']> {
    if (dueAt > systemClock()) this.idleAt = dueAt
    else this.due ??= kind
    return ok(undefined)
  }

  async claim(): ReturnType<ReviewQueue['claim']> {
    const kind = this.due
    this.due = undefined
    const claim = (due: QueuedReviewKind): ReviewClaim => ({ owner: undefined, kind: due, dueAt: systemClock(), fence: 1, attempts: 1 })
    return ok(kind === undefined ? [] : [claim(kind)])
  }

  async renew(): ReturnType<ReviewQueue['renew']> {
    return ok(undefined)
  }

  /** What has to be tried again is due again with a later turn. */
  async end(): ReturnType<ReviewQueue['end']> {
    return ok(undefined)
  }

  async remove(): ReturnType<ReviewQueue['remove']> {
    this.due = undefined
    return ok(undefined)
  }

  async stats(): ReturnType<ReviewQueue['stats']> {
    return ok({ waiting: this.due === undefined ? 0 : 1, claimed: 0, oldestDueAt: undefined })
  }

  async close(): Promise<void> {}
}
