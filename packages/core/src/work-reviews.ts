/** A worker for the reviews of one home or of many: runs what `review.queue` has due, and reports it. */
import type { OwnerId } from './homes/owner.ts'
import type { QueuedReviewKind, ReviewClaim } from './queue/review-queue.ts'
import { checkWorkerOptions, runWorker, type WorkDone, type WorkerOptions } from './queue/run-worker.ts'
import type { ResolvedHermesOptions } from './resolve-options.ts'
import type { ReviewWork } from './session/work-review.ts'
import { withAnySignal } from './shared/any-signal.ts'
import { callSafely } from './shared/call-safely.ts'
import type { Clock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { err, ok, type Result } from './shared/result.ts'

/** One entry of the queue that the worker has dealt with. */
export interface WorkedReview extends ReviewWork {
  /** Undefined for a storage with a single home. */
  readonly owner: OwnerId | undefined
  readonly kind: QueuedReviewKind
  /** See `ReviewClaim.attempts`. */
  readonly attempts: number
}

export interface WorkOptions extends WorkerOptions {
  /** Called after each entry. Errors that it throws are ignored. */
  readonly onReview?: ((review: WorkedReview) => void) | undefined
}

export interface WorkReport {
  /** Number of entries whose review read turns. */
  readonly reviewed: number
  /** Number of entries without anything left to review. */
  readonly nothingDue: number
  /** Number of entries that are due again later: too early, or the home is busy or has to wait. */
  readonly postponed: number
  /** Number of failed reviews; they are tried again. */
  readonly failed: number
  /** Tokens of all reviews. */
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface WorkReviewsDeps {
  /** The model must be set: that of the host is known only during its turns. */
  readonly review: Pick<ResolvedHermesOptions['review'], 'queue' | 'model'>
  /** True for the homes of many owners, false for a storage with a single home. */
  readonly hasOwners: boolean
  /** Stops the worker too. */
  readonly stopping: AbortSignal
  readonly clock: Clock
  readonly work: (claim: ReviewClaim, signal: AbortSignal) => Promise<WorkDone<ReviewWork>>
  readonly failed: (error: HermesError, operation: string) => void
}

const COUNTED = {
  reviewed: 'reviewed',
  'nothing-due': 'nothingDue',
  erased: 'nothingDue',
  postponed: 'postponed',
  failed: 'failed',
} as const

/** Milliseconds until an entry is tried again that belongs to homes of another kind. */
const OTHER_HOME_MS = 60 * 60_000

const invalid = (message: string) => err(new HermesError('invalid', message))

const otherHome = (hasOwners: boolean): HermesError =>
  new HermesError(
    'invalid',
    hasOwners
      ? 'This entry was added by createHermes, and the worker runs the homes of createHermesHomes. Give each its own queue.'
      : 'This entry belongs to an owner of createHermesHomes, and the worker runs the single home of createHermes. Give each its own queue.',
  )

export const workReviews = async (options: WorkOptions, deps: WorkReviewsDeps): Promise<Result<WorkReport>> => {
  const { hasOwners, failed, clock } = deps
  const { queue, model } = deps.review
  if (!queue) return invalid("There is no queue to work on. Set 'review.queue', for example to sqliteReviewQueue(file) of @hermes/sqlite.")
  if (!model) return invalid("A worker has no model of the host. Set 'review.model'.")
  const checked = checkWorkerOptions(options)
  if (!checked.ok) return checked
  let report: WorkReport = { reviewed: 0, nothingDue: 0, postponed: 0, failed: 0, inputTokens: 0, outputTokens: 0 }
  const onDone = ({ owner, kind, attempts }: ReviewClaim, { outcome, cost }: ReviewWork) => {
    const count = COUNTED[outcome.kind]
    report = {
      ...report,
      [count]: report[count] + 1,
      inputTokens: report.inputTokens + (cost?.inputTokens ?? 0),
      outputTokens: report.outputTokens + (cost?.outputTokens ?? 0),
    }
    if (options.onReview) callSafely(options.onReview, { owner, kind, attempts, outcome, cost })
  }
  const work: WorkReviewsDeps['work'] = async (claim, signal) => {
    if ((claim.owner !== undefined) === hasOwners) return deps.work(claim, signal)
    const until = clock() + OTHER_HOME_MS
    return { end: { againAt: until }, work: { outcome: { kind: 'failed', error: otherHome(hasOwners), until }, cost: undefined } }
  }
  const ran = await withAnySignal([options.signal, deps.stopping], (signal) =>
    runWorker({ ...options, signal }, { queue, work, onDone, failed }),
  )
  return ran.ok ? ok(report) : ran
}
