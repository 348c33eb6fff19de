/** What a home learns from its sessions on request, by a worker and in its upkeep, and how it forgets one. Contains no logic of its own. */
import type { ForgettingSessions } from './erasure/forget.ts'
import type { Hermes } from './hermes.ts'
import type { ReviewClaim, ReviewQueue } from './queue/review-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import { BackgroundTasks } from './session/background-tasks.ts'
import type { HomeCounts } from './session/home-counts.ts'
import type { Reviews } from './session/reviews.ts'
import type { SessionHome } from './session/session-home.ts'
import type { Sessions } from './session/sessions.ts'
import type { ReviewWork } from './session/work-review.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLate } from './shared/load-late.ts'
import { err, ok, type Result } from './shared/result.ts'

export interface LearningDeps {
  readonly home: SessionHome
  readonly counts: HomeCounts
  readonly loadReviews: () => Promise<Result<Reviews>>
  readonly sessions: Sessions
  readonly queue: ReviewQueue | undefined
  readonly failed: (error: HermesError, operation: string) => void
  readonly crashed: (cause: unknown) => void
}

export interface Learning {
  readonly review: Hermes['review']
  /** Works on the queue of a single home. */
  readonly work: Hermes['work']
  /** Runs a review that a worker has claimed. */
  workOn(claim: ReviewClaim, signal: AbortSignal): Promise<WorkDone<ReviewWork>>
  /** See `Reviews.tend`. */
  tend(signal: AbortSignal): Promise<number>
  /** Cancels reviews and stops workers. No review starts any more. */
  stop(): void
  readonly forgetting: ForgettingSessions
  settled(): Promise<void>
  readonly idle: boolean
}

export const createLearning = ({ home, counts, loadReviews, sessions, queue, failed, crashed }: LearningDeps): Learning => {
  const withReviews = async <T>(use: (reviews: Reviews) => Promise<Result<T>>): Promise<Result<T>> => {
    const reviews = await loadReviews()
    return reviews.ok ? use(reviews.value) : reviews
  }
  const cancel = async (): Promise<void> => {
    const cancelled = await withReviews((reviews) => reviews.cancel())
    if (!cancelled.ok) failed(cancelled.error, 'call off review')
  }
  const workOn: Learning['workOn'] = async (claim, signal) => {
    const worked = await withReviews(async (reviews) => ok(await reviews.work(claim, signal)))
    if (!worked.ok) throw worked.error
    return worked.value
  }
  const requested = new BackgroundTasks({ background: home.options.background, onCrash: crashed, onBackgroundFailure: crashed })
  return {
    work: async (options = {}) => {
      if (home.identity.owner !== undefined)
        return err(new HermesError('invalid', 'A home of many has no worker of its own. Call work() on the homes.'))
      return withLate(
        'The code of workers',
        () => import('./work-reviews.ts'),
        (code) =>
          code.workReviews(options, {
            queue,
            hasModel: home.options.review.model !== undefined,
            hasOwners: false,
            stopping: counts.stopping,
            clock: home.clock,
            work: workOn,
            failed,
          }),
      )
    },
    workOn,
    async tend(signal) {
      const tended = await withReviews(async (reviews) => ok(await reviews.tend(signal)))
      if (tended.ok) return tended.value
      failed(tended.error, 'load reviews')
      return 0
    },
    review: (options = {}) =>
      requested.resultOf(async () => {
        if (counts.stopping.aborted) return ok({ kind: 'stopped' })
        await sessions.settled()
        return withReviews((reviews) => reviews.request(options))
      }),
    forgetting: {
      settled: () => sessions.settled(),
      async forget(id) {
        await cancel()
        await sessions.forget(id)
        return withReviews((reviews) => reviews.ofHome.forget(id))
      },
      async redact(redactor) {
        await cancel()
        await sessions.redact(redactor)
      },
    },
    stop: () => counts.stop(),
    settled: () => requested.settled(),
    get idle() {
      return requested.idle
    },
  }
}
