/** A queue of due reviews in the memory of one process, for tests. */
import { type OwnerId, ownerKey } from '../homes/owner.ts'
import { checkClaimEnd, checkClaimOptions, checkLease, checkQueuedReview, checkQueueOwner, guardedQueue } from '../queue/guarded-queue.ts'
import type { ClaimEnd, ClaimOptions, QueuedReview, QueueStats, ReviewClaim, ReviewQueue } from '../queue/review-queue.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { closedError } from '../storage/document-tree.ts'

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

const keyOfOwner = (owner: OwnerId | undefined): string => (owner === undefined ? '' : ownerKey(owner))
const keyOf = ({ owner, kind }: Pick<QueuedReview, 'owner' | 'kind'>): string => `${kind} ${keyOfOwner(owner)}`

class InMemoryReviewQueue implements ReviewQueue {
  readonly #clock: Clock
  readonly #entries: Map<string, InMemoryReview>
  #closed = false

  constructor(clock: Clock, entries: Map<string, InMemoryReview>) {
    this.#clock = clock
    this.#entries = entries
  }

  async #run<A, T>(checked: Result<A>, work: (argument: A) => Result<T>): Promise<Result<T>> {
    if (this.#closed) return err(closedError())
    return checked.ok ? work(checked.value) : checked
  }

  #isClaimed({ claim }: InMemoryReview): boolean {
    return claim !== undefined && claim.until > this.#clock()
  }

  #add({ owner, kind, dueAt }: QueuedReview): void {
    const key = keyOf({ owner, kind })
    const known = this.#entries.get(key)
    if (!known) this.#entries.set(key, { ...(owner ? { owner } : {}), kind, dueAt, attempts: 0 })
    else if (known.claim) {
      const claim = { ...known.claim, addedAt: Math.min(known.claim.addedAt, dueAt) }
      this.#entries.set(key, { ...known, claim })
    } else if (dueAt < known.dueAt && (known.attempts === 0 || known.dueAt - dueAt > LONGEST_WAIT_MS))
      // After a failure the time of the next attempt stays.
      this.#entries.set(key, { ...known, dueAt })
  }

  #claim({ limit, leaseMs }: ClaimOptions): readonly ReviewClaim[] {
    const at = this.#clock()
    const all = [...this.#entries.values()]
    const busy = new Set(all.filter((entry) => this.#isClaimed(entry)).map(({ owner }) => keyOfOwner(owner)))
    const claims: ReviewClaim[] = []
    for (const { claim: _lost, ...entry } of all.filter(({ dueAt }) => dueAt <= at).sort((a, b) => a.dueAt - b.dueAt)) {
      const owner = keyOfOwner(entry.owner)
      if (claims.length === limit || busy.has(owner)) continue
      busy.add(owner)
      const attempts = entry.attempts + 1
      const fence = ++newestFence
      this.#entries.set(keyOf(entry), { ...entry, attempts, claim: { fence, until: at + leaseMs, addedAt: Number.POSITIVE_INFINITY } })
      claims.push({ ...entry, attempts, fence })
    }
    return claims
  }

  /** `next`: the entry of a claim that was not lost, undefined to remove it. */
  #change(held: ReviewClaim, next: (entry: InMemoryReview, claim: Claim) => InMemoryReview | undefined): Result<void> {
    const found = this.#entries.get(keyOf(held))
    if (!found?.claim || found.claim.fence !== held.fence)
      return err(new HermesError('superseded', 'This claim is over: another worker took the review, or it was removed. Leave it.'))
    const changed = next(found, found.claim)
    if (changed) this.#entries.set(keyOf(held), changed)
    else this.#entries.delete(keyOf(held))
    return ok(undefined)
  }

  #stats(): QueueStats {
    const all = [...this.#entries.values()]
    const waiting = all.filter((entry) => !this.#isClaimed(entry))
    const oldestDueAt = waiting.length > 0 ? Math.min(...waiting.map(({ dueAt }) => dueAt)) : undefined
    return { waiting: waiting.length, claimed: all.length - waiting.length, oldestDueAt }
  }

  add(review: QueuedReview): Promise<Result<void>> {
    return this.#run(checkQueuedReview(review), (checked) => ok(this.#add(checked)))
  }

  claim(options: ClaimOptions): Promise<Result<readonly ReviewClaim[]>> {
    return this.#run(checkClaimOptions(options), (asked) => ok(this.#claim(asked)))
  }

  renew(held: ReviewClaim, leaseMs: number): Promise<Result<void>> {
    return this.#run(checkLease(leaseMs), () =>
      this.#change(held, (entry, claim) => ({ ...entry, claim: { ...claim, until: this.#clock() + leaseMs } })),
    )
  }

  end(held: ReviewClaim, end: ClaimEnd): Promise<Result<void>> {
    return this.#run(checkClaimEnd(end), () =>
      this.#change(held, ({ claim: _ended, ...entry }, { addedAt }) => {
        if (end !== 'done' && end.failed) return { ...entry, dueAt: end.againAt }
        const dueAt = end === 'done' ? addedAt : Math.min(end.againAt, addedAt)
        return dueAt === Number.POSITIVE_INFINITY ? undefined : { ...entry, dueAt, attempts: 0 }
      }),
    )
  }

  remove(owner: OwnerId | undefined): Promise<Result<void>> {
    return this.#run(checkQueueOwner(owner), (checked) => {
      for (const [key, entry] of this.#entries) if (keyOfOwner(entry.owner) === keyOfOwner(checked)) this.#entries.delete(key)
      return ok(undefined)
    })
  }

  stats(): Promise<Result<QueueStats>> {
    return this.#run(ok(undefined), () => ok(this.#stats()))
  }

  async close(): Promise<void> {
    this.#closed = true
  }
}

export interface InMemoryReviewQueueOptions {
  /** Counts due times and leases. Default: the system clock. */
  readonly clock?: Clock
  /** Shared by the handles on one queue. Default: a new map. */
  readonly entries?: Map<string, InMemoryReview>
}

export const inMemoryReviewQueue = ({ clock = systemClock, entries = new Map() }: InMemoryReviewQueueOptions = {}): ReviewQueue =>
  guardedQueue(new InMemoryReviewQueue(clock, entries))
