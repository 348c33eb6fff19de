/** A queue of due reviews in the memory of one process, for tests. */
import { type Clock, err, HermesError, ok, type Result, systemClock } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import {
  type ClaimOptions,
  checkClaimEnd,
  checkClaimOptions,
  checkLease,
  checkQueuedReview,
  checkQueueOwner,
  type QueuedReview,
  type ReviewClaim,
  type ReviewQueue,
} from '@hermes/core/queue'
import { closedError } from '@hermes/core/storage'

/** An entry as it is kept. */
export interface InMemoryReview extends QueuedReview {
  readonly attempts: number
  /** `addedAt`: the earliest due time added since the claim. */
  readonly claim?: { readonly fence: number; readonly until: number; readonly addedAt: number }
}

type Claim = NonNullable<InMemoryReview['claim']>

/** No fence comes twice, also after an entry was removed. */
let newestFence = 0

/** Milliseconds. A later time of a next attempt comes from a wrong clock. */
const LONGEST_WAIT_MS = 2 * 86_400_000

const keyOfOwner = (owner: OwnerId | undefined): string => JSON.stringify(owner ? [owner.tenant ?? null, owner.user] : [])
const keyOf = ({ owner, kind }: Pick<QueuedReview, 'owner' | 'kind'>): string => `${kind} ${keyOfOwner(owner)}`

export interface InMemoryReviewQueueOptions {
  /** Counts due times and leases. Default: the system clock. */
  readonly clock?: Clock
  /** Shared by the handles on one queue. Default: a new map. */
  readonly entries?: Map<string, InMemoryReview>
}

/** A plain object, so that a test can spread it and replace a method. */
export const inMemoryReviewQueue = ({ clock = systemClock, entries = new Map() }: InMemoryReviewQueueOptions = {}): ReviewQueue => {
  let closed = false

  const run = async <A, T>(checked: Result<A>, work: (argument: A) => Result<T>): Promise<Result<T>> => {
    if (closed) return err(closedError())
    return checked.ok ? work(checked.value) : checked
  }

  const isClaimed = ({ claim }: InMemoryReview): boolean => claim !== undefined && claim.until > clock()

  const add = ({ owner, kind, dueAt }: QueuedReview): void => {
    const key = keyOf({ owner, kind })
    const known = entries.get(key)
    if (!known) entries.set(key, { ...(owner ? { owner } : {}), kind, dueAt, attempts: 0 })
    else if (known.claim) entries.set(key, { ...known, claim: { ...known.claim, addedAt: Math.min(known.claim.addedAt, dueAt) } })
    else if (dueAt < known.dueAt && (known.attempts === 0 || known.dueAt - dueAt > LONGEST_WAIT_MS))
      // After a failure the time of the next attempt stays.
      entries.set(key, { ...known, dueAt })
  }

  const claim = ({ limit, leaseMs }: ClaimOptions): readonly ReviewClaim[] => {
    const at = clock()
    const all = [...entries.values()]
    const busy = new Set(all.filter(isClaimed).map(({ owner }) => keyOfOwner(owner)))
    const claims: ReviewClaim[] = []
    for (const { claim: _lost, ...entry } of all.filter(({ dueAt }) => dueAt <= at).sort((a, b) => a.dueAt - b.dueAt)) {
      const owner = keyOfOwner(entry.owner)
      if (claims.length === limit || busy.has(owner)) continue
      busy.add(owner)
      const attempts = entry.attempts + 1
      const fence = ++newestFence
      entries.set(keyOf(entry), { ...entry, attempts, claim: { fence, until: at + leaseMs, addedAt: Number.POSITIVE_INFINITY } })
      claims.push({ ...entry, attempts, fence })
    }
    return claims
  }

  /** `next`: the entry of a claim that was not lost, undefined to remove it. */
  const change = (held: ReviewClaim, next: (entry: InMemoryReview, claim: Claim) => InMemoryReview | undefined): Result<void> => {
    const found = entries.get(keyOf(held))
    if (!found?.claim || found.claim.fence !== held.fence)
      return err(new HermesError('superseded', 'This claim is over: another worker took the review, or it was removed. Leave it.'))
    const changed = next(found, found.claim)
    if (changed) entries.set(keyOf(held), changed)
    else entries.delete(keyOf(held))
    return ok(undefined)
  }

  return {
    add: (review) => run(checkQueuedReview(review), (checked) => ok(add(checked))),
    claim: (options) => run(checkClaimOptions(options), (asked) => ok(claim(asked))),
    renew: (held, leaseMs) =>
      run(checkLease(leaseMs), () => change(held, (entry, current) => ({ ...entry, claim: { ...current, until: clock() + leaseMs } }))),
    end: (held, end) =>
      run(checkClaimEnd(end), () =>
        change(held, ({ claim: _ended, ...entry }, { addedAt }) => {
          if (end !== 'done' && end.failed) return { ...entry, dueAt: end.againAt }
          const dueAt = end === 'done' ? addedAt : Math.min(end.againAt, addedAt)
          return dueAt === Number.POSITIVE_INFINITY ? undefined : { ...entry, dueAt, attempts: 0 }
        }),
      ),
    remove: (owner) =>
      run(checkQueueOwner(owner), (checked) => {
        for (const [key, entry] of entries) if (keyOfOwner(entry.owner) === keyOfOwner(checked)) entries.delete(key)
        return ok(undefined)
      }),
    stats: () =>
      run(ok(undefined), () => {
        const waiting = [...entries.values()].filter((entry) => !isClaimed(entry))
        const oldestDueAt = waiting.length > 0 ? Math.min(...waiting.map(({ dueAt }) => dueAt)) : undefined
        return ok({ waiting: waiting.length, claimed: entries.size - waiting.length, oldestDueAt })
      }),
    close: async () => {
      closed = true
    },
  }
}
