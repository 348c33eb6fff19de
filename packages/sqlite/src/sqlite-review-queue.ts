/** A queue of due reviews in one SQLite file, for the processes of one machine. */
import { type Clock, err, HermesError, ok, type Result, systemClock } from '@hermes/core'
import { checkClaimEnd, checkClaimOptions, checkLease, checkQueuedReview, checkQueueOwner, type ReviewQueue } from '@hermes/core/queue'
import { Connection } from './connection.ts'
import type { Reviews } from './reviews.ts'
import type { SqliteBackendOptions } from './sqlite-backend.ts'

export interface SqliteReviewQueueOptions extends SqliteBackendOptions {
  /** Counts due times and leases; the same in all processes that share the file. Default: the clock of the machine. */
  readonly clock?: Clock
}

const superseded = () =>
  err(new HermesError('superseded', 'This claim has ended, its entry was removed, or another worker claimed it. Stop the review.'))

/**
 * Entries in a table of `file`, each claim with its leases and fences in one transaction. `file` may be that of `sqliteBackend`, or another; the first call creates
 * it, in a folder that exists. Throws as `sqliteBackend` does.
 */
export const sqliteReviewQueue = (file: string, { timeoutMs, clock = systemClock }: SqliteReviewQueueOptions = {}): ReviewQueue => {
  const connection = new Connection('sqliteReviewQueue', file, timeoutMs)

  const write = <T>(work: (reviews: Reviews) => T): Promise<Result<T>> =>
    connection.attempt('write', () => {
      const db = connection.database
      return db.write(() => ok(work(db.reviews)))
    })

  const changeClaim = async (work: (reviews: Reviews) => boolean): Promise<Result<void>> => {
    const held = await write(work)
    if (!held.ok) return held
    return held.value ? ok(undefined) : superseded()
  }

  return {
    add: (review) => connection.call(checkQueuedReview(review), (checked) => write((reviews) => reviews.add(checked))),
    claim: (asked) => connection.call(checkClaimOptions(asked), (checked) => write((reviews) => reviews.claim(checked, clock()))),
    renew: (claim, leaseMs) =>
      connection.call(checkLease(leaseMs), () => changeClaim((reviews) => reviews.renew(claim, clock() + leaseMs))),
    end: (claim, end) => connection.call(checkClaimEnd(end), (checked) => changeClaim((reviews) => reviews.end(claim, checked))),
    remove: (owner) =>
      connection.call(checkQueueOwner(owner), async (checked) => {
        const removed = await write((reviews) => reviews.remove(checked))
        // Who was erased is not named in the write-ahead log either.
        if (removed.ok) await connection.emptyLog()
        return removed
      }),
    stats: () => connection.call(ok(undefined), () => connection.attempt('read', () => ok(connection.database.reviews.stats(clock())))),
    close: () => connection.close(),
  }
}
