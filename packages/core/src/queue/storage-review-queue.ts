/**
 * A queue of due reviews over any storage. Entries are stored in up to 256 documents by owner, `queue/reviews/<shard>.json`, so that a claim writes a small document. A
 * handle keeps what it has read, and reads a document again when its stamp has changed.
 */

import type { OwnerId } from '../homes/owner.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { closedError } from '../storage/document-tree.ts'
import { type LimitedSchema, libraryDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { withStorage } from '../storage/with-storage.ts'
import { checkClaimEnd, checkClaimOptions, checkLease, checkQueuedReview, checkQueueOwner } from './check-queue-arguments.ts'
import {
  addEntry,
  claimEntries,
  EMPTY_SHARD,
  endClaim,
  type QueueShard,
  queueOwnerKey,
  queueShardSchema,
  renewClaim,
  withoutOwner,
} from './queue-shard.ts'
import type { ReviewClaim, ReviewQueue } from './review-queue.ts'
import { QUEUE_FOLDER, type SeenShard, shardReader } from './shard-reader.ts'

export interface StorageReviewQueueOptions {
  /** Shared by all processes that add or claim: the storage of the homes, or another one. `close` does not close it. */
  readonly storage: StorageBackend
  /** Default: the system clock. */
  readonly clock?: Clock
  /**
   * A claim of a dead process is taken over by a process that has seen it unrenewed for its whole lease; or by any process, this many milliseconds after the end of the
   * lease. The clocks of the machines must not differ by more. Default: an hour.
   */
  readonly maxClockSkewMs?: number
  /** Called for a document of the queue that cannot be read; the others are still claimed from. Default: nothing is told. */
  readonly onProblem?: (problem: HermesError) => void
}

const HOUR_MS = 60 * 60_000
/** How often a claim looks again if other processes took what it had found. */
const MAX_ROUNDS = 8
const SHARD_CHARS = 2

export const shardPath = (owner: OwnerId | undefined): string =>
  `${QUEUE_FOLDER}/${fingerprint(queueOwnerKey(owner)).slice(0, SHARD_CHARS)}.json`

const superseded = (): HermesError =>
  new HermesError(
    'superseded',
    'This claim is over: its lease passed and another worker took the review, or the review was removed. Leave it.',
  )

interface Share {
  readonly path: string
  readonly seen: SeenShard
  readonly count: number
}

/** Throws a TypeError if there is no storage. */
export const storageReviewQueue = (options: StorageReviewQueueOptions): ReviewQueue => {
  const { storage, clock = systemClock, maxClockSkewMs = HOUR_MS, onProblem = () => {} } = withStorage('storageReviewQueue', options)
  const schema: LimitedSchema<QueueShard> = libraryDocument(queueShardSchema)
  const reader = shardReader({ storage, schema, clock, maxClockSkewMs, onProblem })
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const run = async <T>(checked: Result<unknown>, call: () => Promise<Result<T>>): Promise<Result<T>> => {
    if (closed) return err(closedError())
    if (!checked.ok) return checked
    const work = call()
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }

  const change = async (owner: OwnerId | undefined, next: (shard: QueueShard) => QueueShard | undefined): Promise<Result<void>> => {
    const written = await updateJsonDocument(storage, shardPath(owner), schema, (current) => next(current ?? EMPTY_SHARD) ?? UNCHANGED)
    return written.ok ? ok(undefined) : written
  }

  const changeClaim = async (claim: ReviewClaim, next: (shard: QueueShard) => QueueShard | undefined): Promise<Result<void>> => {
    let isOurs = false
    const written = await change(claim.owner, (shard) => {
      const changed = next(shard)
      isOurs = changed !== undefined
      return changed
    })
    return written.ok && !isOurs ? err(superseded()) : written
  }

  /** Divides the number to claim among the shards, the entries due longest first. */
  const share = (shards: ReadonlyMap<string, SeenShard>, limit: number): readonly Share[] => {
    const at = clock()
    const due = [...shards].flatMap(([path, seen]) => seen.due(at, limit).map((dueAt) => ({ path, seen, dueAt })))
    const shares = new Map<string, Share>()
    for (const { path, seen } of due.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit))
      shares.set(path, { path, seen, count: (shares.get(path)?.count ?? 0) + 1 })
    return [...shares.values()]
  }

  const claimShare = async ({ path, seen, count }: Share, leaseMs: number): Promise<Result<readonly ReviewClaim[]>> => {
    let claims: readonly ReviewClaim[] = []
    const written = await updateJsonDocument(storage, path, schema, (current) => {
      const claimed = claimEntries(current ?? EMPTY_SHARD, { count, at: clock(), leaseMs, isLost: seen.isLost })
      claims = claimed.claims
      return claims.length > 0 ? claimed.shard : UNCHANGED
    })
    return written.ok ? ok(claims) : written
  }

  /** One look at all shards. `isAll`: it took everything that is due. */
  const claimRound = async (limit: number, leaseMs: number) => {
    const shards = await reader.read()
    if (!shards.ok) return { claims: [], isAll: true, problem: shards.error }
    const shares = share(shards.value, limit)
    const taken = await Promise.all(shares.map((each) => claimShare(each, leaseMs)))
    const claims = taken.flatMap((each) => (each.ok ? each.value : []))
    const found = shares.reduce((sum, { count }) => sum + count, 0)
    const problem = taken.find((each) => !each.ok)?.error
    return { claims, isAll: found < limit && claims.length === found, problem }
  }

  /** Fails only if nothing could be claimed, since the claims made would otherwise wait for the end of their leases. */
  const claim = async (limit: number, leaseMs: number): Promise<Result<readonly ReviewClaim[]>> => {
    const claims: ReviewClaim[] = []
    for (let round = 0; round < MAX_ROUNDS && claims.length < limit; round++) {
      const { claims: more, isAll, problem } = await claimRound(limit - claims.length, leaseMs)
      claims.push(...more)
      if (problem && claims.length === 0) return err(problem)
      if (problem) onProblem(problem)
      if (problem || isAll) break
    }
    return ok(claims.sort((a, b) => a.dueAt - b.dueAt))
  }

  return {
    add(review) {
      const checked = checkQueuedReview(review)
      return run(checked, () => change(review.owner, (shard) => (checked.ok ? addEntry(shard, checked.value) : undefined)))
    },
    claim: (asked) => run(checkClaimOptions(asked), () => claim(asked.limit, asked.leaseMs)),
    renew: (held, leaseMs) => run(checkLease(leaseMs), () => changeClaim(held, (shard) => renewClaim(shard, held, clock(), leaseMs))),
    end: (held, end) => run(checkClaimEnd(end), () => changeClaim(held, (shard) => endClaim(shard, held, end))),
    remove: (owner) => run(checkQueueOwner(owner), () => change(owner, (shard) => withoutOwner(shard, owner))),
    stats: () =>
      run(ok(undefined), async () => {
        const shards = await reader.read()
        if (!shards.ok) return shards
        const all = [...shards.value.values()].flatMap(({ shard, isLost }) =>
          shard.entries.map((entry) => ({ dueAt: entry.dueAt, claimed: entry.claim !== undefined && !isLost(entry) })),
        )
        const waiting = all.filter(({ claimed }) => !claimed)
        const oldestDueAt = waiting.reduce((oldest, { dueAt }) => Math.min(oldest, dueAt), Number.POSITIVE_INFINITY)
        return ok({
          waiting: waiting.length,
          claimed: all.length - waiting.length,
          oldestDueAt: waiting.length > 0 ? oldestDueAt : undefined,
        })
      }),
    async close() {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}
