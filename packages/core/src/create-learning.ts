/** Wires the reviews of a home: which is due, what it runs with, how it is cancelled. Contains no logic of its own. */
import type { ForgetDeps } from './erasure/forget.ts'
import type { Hermes } from './hermes.ts'
import type { OpenedReviews, ReviewsDeps } from './open-reviews.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import type { ReviewClaim } from './queue/review-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import type { ResolvedHermesOptions } from './resolve-options.ts'
import { backgroundTasks, resultOf } from './session/background-tasks.ts'
import type { ReviewRunner } from './session/review-runner.ts'
import type { SessionHandles } from './session/session-handles.ts'
import { removeSession } from './session/session-record.ts'
import type { ReviewWork } from './session/work-review.ts'
import { HermesError } from './shared/hermes-error.ts'
import { lateVerbs, loadOnce, withLate } from './shared/load-late.ts'
import { err, ok, type Result } from './shared/result.ts'

export interface LearningDeps extends ReviewsDeps {
  /** Resolves when all turns of this process are saved. */
  readonly turnsSettled: () => Promise<void>
  readonly background: ResolvedHermesOptions['background']
  readonly crashed: (cause: unknown) => void
}

export interface Learning {
  readonly runner: ReviewRunner
  readonly review: Hermes['review']
  /** Runs a review that a worker has claimed. */
  workOn(claim: ReviewClaim, signal: AbortSignal): Promise<WorkDone<ReviewWork>>
  /** Works on the queue of a single home. */
  readonly work: Hermes['work']
  /** Runs a due review, or adds it to the queue if there is one. 1 if a review read something. Failures are events. */
  tend(signal: AbortSignal): Promise<number>
  /** Cancels reviews and stops workers. No review starts any more. */
  stop(): void
  /** Forgets text in open sessions and cancels the running review in any process, because it could still write what it has read. */
  forgetting(sessions: SessionHandles): ForgetDeps['sessions']
  /** Also removes the session record. */
  forgetSession(forgetting: ForgetDeps['sessions'], id: string): Promise<Result<void>>
  settled(): Promise<void>
  readonly idle: boolean
}

export const createLearning = (deps: LearningDeps): Learning => {
  const { storage, clock, review, failed } = deps
  const queue = review.queue && guardedQueue(review.queue)
  const stopping = new AbortController()
  const requested = backgroundTasks({ background: deps.background, onCrash: deps.crashed, onBackgroundFailure: deps.crashed })

  // Undefined until a turn is saved or a review is requested. Until then, none runs.
  let opened: OpenedReviews | undefined
  const open = loadOnce(async () => {
    const { openReviews } = await import('./open-reviews.ts')
    opened = openReviews(deps, queue)
    if (stopping.signal.aborted) opened.local.stop()
    return opened
  })
  const tryOpen = () => withLate(REVIEWS, open, async (reviews) => ok(reviews))
  const late = lateVerbs(REVIEWS, open)
  const runnerOf = ({ queued, local }: OpenedReviews) => queued ?? local

  const runner: ReviewRunner = {
    get newestModel() {
      return opened && runnerOf(opened).newestModel
    },
    get stopped() {
      return stopping.signal.aborted
    },
    async turnsSaved(occasion, request) {
      const reviews = await tryOpen()
      if (reviews.ok) return runnerOf(reviews.value).turnsSaved(occasion, request)
      failed(reviews.error, 'load reviews')
      return undefined
    },
    ask: late((reviews) => runnerOf(reviews).ask),
    review: late((reviews) => runnerOf(reviews).review),
    interrupt: () => opened?.local.interrupt(),
    stop() {
      stopping.abort()
      opened?.local.stop()
    },
  }

  const callOff = async () => {
    runner.interrupt()
    const revoked = await late(({ reviews }) => reviews.revoke)()
    if (!revoked.ok) failed(revoked.error, 'call off review')
  }

  const workOn: Learning['workOn'] = async (claim, signal) => {
    const [{ workReview }, { local, reviews }] = await Promise.all([import('./session/work-review.ts'), open()])
    return workReview(claim, signal, { runner: local, reviews, clock })
  }

  return {
    runner,
    workOn,
    work: async (options = {}) => {
      if (deps.owner !== undefined)
        return err(new HermesError('invalid', 'A home of many has no worker of its own. Call work() on the homes.'))
      return withLate(
        'The code of workers',
        () => import('./work-reviews.ts'),
        (code) =>
          code.workReviews(options, {
            queue,
            hasModel: review.model !== undefined,
            hasOwners: false,
            stopping: stopping.signal,
            clock,
            work: workOn,
            failed,
          }),
      )
    },
    async tend(signal) {
      const home = await tryOpen()
      if (!home.ok) {
        failed(home.error, 'load reviews')
        return 0
      }
      const { queued, local, reviews } = home.value
      if (queued) await queued.addMissing()
      if (queued || !review.model) return 0
      const found = await reviews.findUnread()
      if (!found.ok) failed(found.error, 'find due reviews')
      const ran = await local.review({ why: 'turn' }, { signal })
      return ran.ok && ran.value.kind === 'reviewed' ? 1 : 0
    },
    stop: runner.stop,
    review: ({ minTurns, model, signal } = {}) =>
      resultOf(requested, async () => {
        if (runner.stopped) return ok({ kind: 'stopped' })
        await deps.turnsSettled()
        const found = await late(({ reviews }) => reviews.findUnread)()
        if (!found.ok) failed(found.error, 'find unread turns')
        return runner.review({ why: 'request', minTurns }, { ownModel: model, model: runner.newestModel, signal })
      }),
    forgetting: (sessions) => ({
      settled: sessions.settled,
      async forget(id) {
        await callOff()
        await sessions.forget(id)
        const unknown = await late(({ reviews }) => reviews.forgetSession)(id)
        if (!unknown.ok) failed(unknown.error, 'forget session')
      },
      async redact(redaction) {
        await callOff()
        await sessions.redact(redaction)
      },
    }),
    async forgetSession(forgetting, id) {
      await forgetting.forget(id)
      const removed = await removeSession(storage, id)
      // A review that started meanwhile may have read the record.
      await callOff()
      return removed
    },
    settled: requested.settled,
    get idle() {
      return requested.idle
    },
  }
}

const REVIEWS = 'The code of reviews'
