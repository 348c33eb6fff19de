/** What a home learns from its sessions on request, by a worker and in its upkeep, and how it forgets one. Contains no logic of its own. */
import type { ForgettingSessions } from './erasure/forget.ts'
import type { Hermes } from './hermes.ts'
import type { ReviewQueue } from './queue/review-queue.ts'
import { BackgroundTasks } from './session/background-tasks.ts'
import type { Reviews } from './session/reviews.ts'
import type { SessionHome } from './session/session-home.ts'
import type { Sessions } from './session/sessions.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLate } from './shared/load-late.ts'
import { err, ok } from './shared/result.ts'

export interface LearningDeps {
  readonly home: SessionHome
  readonly reviews: Reviews
  readonly sessions: Sessions
  readonly queue: ReviewQueue | undefined
  readonly failed: (error: HermesError, operation: string) => void
  readonly crashed: (cause: unknown) => void
}

export interface Learning {
  readonly review: Hermes['review']
  /** Works on the queue of a single home. */
  readonly work: Hermes['work']
  /** Cancels reviews and stops workers. No review starts any more. */
  stop(): void
  readonly forgetting: ForgettingSessions
  settled(): Promise<void>
  readonly idle: boolean
}

export const createLearning = ({ home, reviews, sessions, queue, failed, crashed }: LearningDeps): Learning => {
  const stopping = new AbortController()
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
            stopping: stopping.signal,
            clock: home.clock,
            work: (claim, signal) => reviews.work(claim, signal),
            failed,
          }),
      )
    },
    review: (options = {}) =>
      requested.resultOf(async () => {
        if (reviews.stopped) return ok({ kind: 'stopped' })
        await sessions.settled()
        return reviews.request(options)
      }),
    forgetting: {
      settled: () => sessions.settled(),
      async forget(id) {
        await reviews.cancel()
        await sessions.forget(id)
        return reviews.ofHome.forget(id)
      },
      async redact(redaction) {
        await reviews.cancel()
        await sessions.redact(redaction)
      },
    },
    stop() {
      stopping.abort()
      reviews.stop()
    },
    settled: () => requested.settled(),
    get idle() {
      return requested.idle
    },
  }
}
