/**
 * Reviews of a home whose due ones go to a queue instead of running behind the turn. The home's own review state decides what is due; the queue only lets a worker find
 * it. What could not be added is added after the next turn, or by upkeep.
 */
import type { OwnerId } from '../homes/owner.ts'
import { IDLE_AFTER_MS } from '../nudge/review-state.ts'
import type { QueuedReviewKind, ReviewQueue } from '../queue/review-queue.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { HomeReviews } from './home-reviews.ts'
import { isTurnCount, type ReviewRunner } from './review-runner.ts'

export interface QueuedReviewsDeps {
  readonly queue: ReviewQueue
  /** Undefined for a storage with a single home. */
  readonly owner: OwnerId | undefined
  readonly runner: ReviewRunner
  readonly reviews: Pick<HomeReviews, 'findUnread' | 'times'>
  /** Minimum number of unread turns for the review of an idle home. */
  readonly minTurns: number
  readonly clock: Clock
  readonly failed: (error: HermesError, operation: string) => void
}

export interface QueuedReviews extends ReviewRunner {
  /** Adds what is due and missing in the queue, as after a crash. Failures are events. */
  addMissing(): Promise<void>
}

export const queuedReviews = (deps: QueuedReviewsDeps): QueuedReviews => {
  const { queue, owner, runner, reviews, minTurns, clock, failed } = deps
  // What this process knows to be in the queue. An entry for turns usually stays until the home's next review begins, one for idleness until it is due.
  let addedTurns: { readonly fence: number; readonly at: number } | undefined
  let idleDueAt = Number.NEGATIVE_INFINITY
  // Kinds that a turn is adding: a queue that does not answer is not asked again.
  const adding = new Set<QueuedReviewKind>()

  const add = async (kind: QueuedReviewKind, dueAt: number): Promise<Result<void>> => {
    const added = await queue.add({ owner, kind, dueAt })
    if (!added.ok) failed(added.error, 'queue review')
    return added
  }

  const addTurns = async (fence: number): Promise<void> => {
    const at = clock()
    // It ends without a review if nothing is due when a worker looks, as after a session was forgotten. Adding it twice does no harm.
    if (fence === addedTurns?.fence && at >= addedTurns.at && at - addedTurns.at < IDLE_AFTER_MS) return
    const added = await add('turns', at)
    if (added.ok) addedTurns = { fence, at }
  }

  const addIdle = async (dueAt: number): Promise<void> => {
    const at = clock()
    // A clock that was set back makes the entry unknown again.
    if (at < idleDueAt && idleDueAt - at <= IDLE_AFTER_MS) return
    const added = await add('idle', dueAt)
    if (added.ok) idleDueAt = dueAt
  }

  /** Work behind the saving of turns, which a slow queue must not hold up. */
  const once = (kind: QueuedReviewKind, work: () => Promise<void>) => async (): Promise<void> => {
    if (adding.has(kind)) return
    adding.add(kind)
    await work().finally(() => adding.delete(kind))
  }

  const isWorthIdle = (unreadTurns: number) => unreadTurns >= Math.max(1, minTurns)

  return {
    ...runner,
    get newestModel() {
      return runner.newestModel
    },
    get stopped() {
      return runner.stopped
    },
    async turnsSaved(occasion, request) {
      const asked = await runner.ask({ ...occasion, why: 'turn' }, request)
      if (!asked.ok) return undefined
      const { value } = asked
      if (value.kind === 'due') return once('turns', () => addTurns(value.fence))
      const isWaiting = value.kind === 'waits' || (value.kind === 'nothing-due' && isWorthIdle(value.unreadTurns))
      return isWaiting ? once('idle', () => addIdle(clock() + IDLE_AFTER_MS)) : undefined
    },
    async review(occasion, request) {
      // The runner refuses invalid arguments, and answers a cancelled request.
      if (occasion.why !== 'end' || !isTurnCount(occasion.minTurns) || request.signal?.aborted) return runner.review(occasion, request)
      const asked = await runner.ask(occasion, request)
      if (!asked.ok) return asked
      const { value } = asked
      if (value.kind === 'waits') return ok({ kind: value.kind, reason: value.reason })
      if (value.kind !== 'due') return value.kind === 'begun' ? ok({ kind: 'busy' }) : ok(value)
      const added = await add('end', clock())
      return added.ok ? ok({ kind: 'queued' }) : added
    },
    async addMissing() {
      const found = await reviews.findUnread()
      if (!found.ok) failed(found.error, 'find due reviews')
      const asked = await runner.ask({ why: 'turn' }, {})
      if (!asked.ok) return
      if (asked.value.kind === 'due') {
        await add('turns', clock())
        return
      }
      if (asked.value.kind === 'nothing-due' && !isWorthIdle(asked.value.unreadTurns)) return
      const times = await reviews.times()
      if (!times.ok) failed(times.error, 'find due reviews')
      else if (times.value.idleAt !== undefined) await add('idle', times.value.idleAt)
    },
  }
}
