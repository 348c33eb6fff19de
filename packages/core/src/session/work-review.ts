/** Runs one review that a worker has claimed from a queue, and decides what becomes of its entry. */
import { addCosts } from '../model/add-costs.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { WaitReason } from '../nudge/decide-review.ts'
import type { ClaimEnd, ReviewClaim } from '../queue/review-queue.ts'
import type { WorkDone } from '../queue/run-worker.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { HomeReviews } from './home-reviews.ts'
import type { ReviewOccasion, ReviewRequest, ReviewRun } from './review-request.ts'

export type WorkOutcome =
  /** `turns`: number of turns read. */
  | { readonly kind: 'reviewed'; readonly turns: number; readonly outcome: ReviewOutcome }
  /** Another review has read the turns, or too few were unread. */
  | { readonly kind: 'nothing-due' }
  /** `active`: the home is not idle yet. `busy`: another review of the home is running. `stopped`: the review was cancelled. Due again at `until` (epoch milliseconds). */
  | { readonly kind: 'postponed'; readonly reason: WaitReason | 'active' | 'busy' | 'stopped'; readonly until: number }
  /** Tried again at `until` (epoch milliseconds). */
  | { readonly kind: 'failed'; readonly error: HermesError; readonly until: number }
  /** The owner has no home, so there is nothing to review. */
  | { readonly kind: 'erased' }

export interface ReviewWork {
  readonly outcome: WorkOutcome
  /** Undefined if no model was called. */
  readonly cost: LearningCost | undefined
}

export interface WorkReviewDeps {
  readonly runner: { runNow(occasion: ReviewOccasion, request: ReviewRequest): Promise<Result<ReviewRun>> }
  readonly reviews: Pick<HomeReviews, 'times'>
  readonly clock: Clock
}

/** Milliseconds until a review is tried that found another one of its home running. */
const BUSY_MS = 15_000
/** Milliseconds until a cancelled review is due again. */
const STOPPED_MS = 1_000
const HALF_HOUR_MS = 30 * 60_000
const DAY_MS = 86_400_000
const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 60 * 60_000

/** Milliseconds until the next attempt, doubled with each one. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, Math.min(attempts, 20) - 1), MAX_RETRY_MS)

const endOf = (outcome: WorkOutcome, { attempts }: ReviewClaim): ClaimEnd => {
  if (outcome.kind === 'failed') return { againAt: outcome.until, failed: true }
  // A retry that has to wait remains a retry.
  if (outcome.kind === 'postponed') return { againAt: outcome.until, failed: attempts > 1 && outcome.reason !== 'active' }
  return 'done'
}

export const workReview = async (claim: ReviewClaim, signal: AbortSignal, deps: WorkReviewDeps): Promise<WorkDone<ReviewWork>> => {
  const { runner, reviews, clock } = deps
  const costs: LearningCost[] = []

  const postponed = (reason: Extract<WorkOutcome, { kind: 'postponed' }>['reason'], until: number): WorkOutcome => ({
    kind: 'postponed',
    reason,
    until,
  })

  const failed = (error: HermesError): WorkOutcome =>
    error.code === 'superseded'
      ? postponed('busy', clock() + BUSY_MS)
      : { kind: 'failed', error, until: clock() + retryDelayMs(claim.attempts) }

  const waited = async (reason: WaitReason): Promise<WorkOutcome> => {
    const at = clock()
    if (reason === 'tokens-per-day') return postponed(reason, (Math.floor(at / DAY_MS) + 1) * DAY_MS)
    const times = reason === 'breaker' ? await reviews.times() : undefined
    const pausedUntil = times?.ok ? times.value.pausedUntil : undefined
    return postponed(reason, pausedUntil !== undefined && pausedUntil > at ? pausedUntil : at + HALF_HOUR_MS)
  }

  const toOutcome = async (ran: Result<ReviewRun>): Promise<WorkOutcome> => {
    if (!ran.ok) return failed(ran.error)
    const { value } = ran
    if (value.kind === 'reviewed') return value
    if (value.kind === 'waits') return waited(value.reason)
    if (value.kind === 'busy') return postponed('busy', clock() + BUSY_MS)
    if (value.kind === 'stopped') return postponed('stopped', clock() + STOPPED_MS)
    // The turns of a review that is under way are due again if it fails or its process has died.
    const times = await reviews.times()
    if (!times.ok) return failed(times.error)
    return times.value.isReviewing ? postponed('busy', clock() + BUSY_MS) : { kind: 'nothing-due' }
  }

  const run = async (): Promise<WorkOutcome> => {
    const request = { signal, onCost: (cost: LearningCost) => costs.push(cost) }
    if (claim.kind === 'idle') {
      const times = await reviews.times()
      if (!times.ok) return failed(times.error)
      const { idleAt } = times.value
      if (idleAt !== undefined && idleAt > clock()) return postponed('active', idleAt)
      return toOutcome(await runner.runNow({ why: 'turn' }, request))
    }
    // Whether enough turns were unread was decided when the session ended.
    if (claim.kind === 'end') return toOutcome(await runner.runNow({ why: 'end', minTurns: 1 }, request))
    // A failed review has used up its count, but its turns are still unread.
    return toOutcome(await runner.runNow({ why: claim.attempts > 1 ? 'end' : 'turn' }, request))
  }

  const outcome = await run()
  return { end: endOf(outcome, claim), work: { outcome, cost: addCosts(costs) } }
}
