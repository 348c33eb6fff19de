/** Runs the reviews of a home in this process: due ones behind the turn, requested ones at once. All of them can be cancelled. */
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { emptyOutcome, joinOutcomes } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { BegunReview } from './begun-review.ts'
import type { BeginAnswer, HomeReviews, ReviewOccasion } from './home-reviews.ts'
import { type ReviewRun, type RunReviewDeps, runReview } from './run-review.ts'

export interface ReviewRequest {
  readonly sessionId?: string | undefined
  /** Used for this review instead of the model in the settings. */
  readonly ownModel?: HostModel | undefined
  /** The host's model, used if no other is set for reviews. */
  readonly model?: HostModel | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the tokens of each review that called a model. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
}

export interface ReviewRunner {
  /** Counts what a session saved. Resolves to the work that became due, not yet started: a review, or its addition to the queue. */
  turnsSaved(occasion: Omit<ReviewOccasion, 'why' | 'mayStart'>, request: ReviewRequest): Promise<(() => Promise<void>) | undefined>
  /** Counts what a session saved, and resolves to whether a review is due, without starting one. */
  ask(occasion: Omit<ReviewOccasion, 'mayStart' | 'isQueued'>, request: ReviewRequest): Promise<Result<BeginAnswer>>
  /** Reviews unread turns now. An error if the review failed; the failure is also an event and a journal record. */
  review(occasion: Omit<ReviewOccasion, 'mayStart'>, request: ReviewRequest): Promise<Result<ReviewRun>>
  /** The host's model of the newest turn in this process. */
  readonly newestModel: HostModel | undefined
  /** True after `stop()`: no review starts any more. */
  readonly stopped: boolean
  /** Cancels the reviews that run in this process. They become due again. */
  interrupt(): void
  /** The same, and no review starts any more. */
  stop(): void
}

const MIN_TURNS = "'minTurns' must be a whole number, 1 or more."

/** Validates the argument, since JavaScript callers may pass anything. */
export const isTurnCount = (value: unknown): boolean => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1)

/** Maximum number of consecutive reviews for one request; each reads no more than fits its model. */
const MAX_REVIEWS = 20

export interface ReviewRunnerDeps extends RunReviewDeps {
  readonly reviews: HomeReviews
}

export const reviewRunner = (deps: ReviewRunnerDeps): ReviewRunner => {
  const { reviews, settings, clock, emit } = deps
  const underWay = new Set<AbortController>()
  let stopped = false
  let newestModel: HostModel | undefined

  const modelOf = ({ ownModel, model }: ReviewRequest) => ownModel ?? settings.model ?? model

  const run = async (review: BegunReview, request: ReviewRequest): Promise<Result<ReviewRun>> => {
    const { signal, sessionId } = request
    const calling = new AbortController()
    const onAbort = () => calling.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (stopped || signal?.aborted) calling.abort()
    underWay.add(calling)
    try {
      return await runReview(review, { model: modelOf(request), sessionId, calling, onCost: request.onCost }, deps)
    } finally {
      signal?.removeEventListener('abort', onAbort)
      underWay.delete(calling)
    }
  }

  const begin = async (occasion: Omit<ReviewOccasion, 'mayStart'>, sessionId: string | undefined): Promise<Result<BeginAnswer>> => {
    // A process that is about to end still says what is due.
    const begun = await reviews.begin({ ...occasion, mayStart: !stopped || occasion.isQueued === true })
    const named = sessionId === undefined ? {} : { sessionId }
    if (!begun.ok) emit({ type: 'storage-failed', ...named, at: clock(), operation: 'save reviews', error: begun.error })
    else if (begun.value.kind === 'waits' && begun.value.isFirstReport) {
      const { reason, turns } = begun.value
      emit({ type: 'review-waits', ...named, at: clock(), reason, turns })
    }
    return begun
  }

  const reviewOnce = async (occasion: Omit<ReviewOccasion, 'mayStart'>, request: ReviewRequest): Promise<Result<ReviewRun>> => {
    const begun = await begin(occasion, request.sessionId)
    if (!begun.ok) return begun
    const { value } = begun
    if (value.kind === 'begun') return run(value.review, request)
    if (value.kind === 'due') return ok({ kind: 'queued' })
    return ok(value.kind === 'waits' ? { kind: value.kind, reason: value.reason } : value)
  }

  const interrupt = () => {
    for (const calling of underWay) calling.abort()
  }

  return {
    get newestModel() {
      return newestModel
    },
    get stopped() {
      return stopped
    },
    ask(occasion, request) {
      newestModel = request.model ?? newestModel
      return begin({ ...occasion, isQueued: true }, request.sessionId)
    },
    async turnsSaved(occasion, request) {
      newestModel = request.model ?? newestModel
      const begun = await begin({ ...occasion, why: 'turn' }, request.sessionId)
      if (!begun.ok || begun.value.kind !== 'begun') return undefined
      const first = begun.value.review
      return async () => {
        // Turns that became due during a review are reviewed right after it, since no further turn may ever come.
        for (let next: BegunReview | undefined = first; next; ) {
          const ran = await run(next, request)
          const again = ran.ok && ran.value.kind === 'reviewed' ? await begin({ why: 'turn' }, request.sessionId) : undefined
          next = again?.ok && again.value.kind === 'begun' ? again.value.review : undefined
        }
      }
    },
    async review(occasion, request) {
      if (!isTurnCount(occasion.minTurns)) return err(new HermesError('invalid', MIN_TURNS))
      if (stopped || request.signal?.aborted) return ok({ kind: 'stopped' })
      if (!modelOf(request)) return ok({ kind: 'no-model' })
      let turns = 0
      let outcome = emptyOutcome()
      for (let reviews = 1; ; reviews++) {
        const ran = await reviewOnce(occasion, request)
        if (!ran.ok || ran.value.kind !== 'reviewed') return ran.ok && reviews > 1 ? ok({ kind: 'reviewed', turns, outcome }) : ran
        turns += ran.value.turns
        outcome = joinOutcomes(outcome, ran.value.outcome)
        if (reviews === MAX_REVIEWS) return ok({ kind: 'reviewed', turns, outcome })
      }
    },
    interrupt,
    stop() {
      stopped = true
      interrupt()
    },
  }
}
