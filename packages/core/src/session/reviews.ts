/** Runs the reviews of a home in this process: due ones behind the turn or through a queue, requested ones at once. All of them can be cancelled. */
import type { HostModel } from '../model/host-model.ts'
import type { AskedReview } from '../nudge/decide-review.ts'
import type { ReviewClaim, ReviewQueue } from '../queue/review-queue.ts'
import type { WorkDone } from '../queue/run-worker.ts'
import { emptyOutcome, joinOutcomes } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { HomeReviews } from './home-reviews.ts'
import { type LearnBatch, LearningLease, toDue } from './learn-batch.ts'
import { checkMarks, pathsOf } from './learned-sources.ts'
import { QueuedReviews } from './queued-reviews.ts'
import type { BeginAnswer, BegunReview, ReviewOccasion, ReviewRequest, ReviewRun } from './review-request.ts'
import { type ReviewLease, RunningReview } from './run-review.ts'
import type { SessionHome, SessionReviews } from './session-home.ts'
import { type ReviewWork, workReview } from './work-review.ts'

const MIN_TURNS = "'minTurns' must be a whole number, 1 or more."

/** Validates the argument, since JavaScript callers may pass anything. */
export const isTurnCount = (value: unknown): boolean => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1)

/** Maximum number of consecutive reviews for one request; each reads no more than fits its model. */
const MAX_REVIEWS = 20

export class Reviews implements SessionReviews {
  readonly ofHome: HomeReviews
  readonly #home: SessionHome
  readonly #queue: QueuedReviews | undefined
  readonly #running = new Set<AbortController>()
  /** The host's model of the newest turn in this process. */
  #newestModel: HostModel | undefined

  constructor(home: SessionHome, queue: ReviewQueue | undefined) {
    this.#home = home
    this.#queue = queue && new QueuedReviews(home, queue)
    this.ofHome = new HomeReviews(home)
    home.stopping.addEventListener('abort', () => this.#interrupt(), { once: true })
  }

  async turnSaved(
    asked: AskedReview,
    occasion: Omit<ReviewOccasion, 'why'>,
    request: ReviewRequest,
  ): Promise<(() => Promise<void>) | undefined> {
    this.#newestModel = request.model ?? this.#newestModel
    const { answer, before, isFirstReport } = asked
    if (answer.kind === 'waits' && isFirstReport) this.#waits(answer, request.sessionId)
    if (this.#queue) return this.#queueTurns(this.#queue, answer, asked.state.fence)
    if (answer.kind !== 'start') return undefined
    const begun = await this.#begin({ ...occasion, why: 'turn', before }, request.sessionId)
    if (!begun.ok || begun.value.kind !== 'begun') return undefined
    const first = begun.value.review
    return async () => {
      // Turns that became due during a review are reviewed right after it, since no further turn may ever come.
      for (let next: BegunReview | undefined = first; next; ) {
        const ran = await this.#run(next, request)
        const again = ran.ok && ran.value.kind === 'reviewed' ? await this.#begin({ why: 'turn' }, request.sessionId) : undefined
        next = again?.ok && again.value.kind === 'begun' ? again.value.review : undefined
      }
    }
  }

  async review(occasion: ReviewOccasion, request: ReviewRequest): Promise<Result<ReviewRun>> {
    const isQueued = occasion.why === 'end' && isTurnCount(occasion.minTurns) && !request.signal?.aborted
    return this.#queue && isQueued ? this.#queueEnd(this.#queue, occasion, request) : this.runNow(occasion, request)
  }

  /** The same in this process, whether or not there is a queue. */
  async runNow(occasion: ReviewOccasion, request: ReviewRequest): Promise<Result<ReviewRun>> {
    if (!isTurnCount(occasion.minTurns)) return err(new HermesError('invalid', MIN_TURNS))
    if (this.#home.stopping.aborted || request.signal?.aborted) return ok({ kind: 'stopped' })
    if (!this.#modelOf(request)) return ok({ kind: 'no-model' })
    let turns = 0
    let outcome = emptyOutcome()
    for (let reviews = 1; ; reviews++) {
      const ran = await this.#reviewOnce(occasion, request)
      if (!ran.ok || ran.value.kind !== 'reviewed') return ran.ok && reviews > 1 ? ok({ kind: 'reviewed', turns, outcome }) : ran
      turns += ran.value.turns
      outcome = joinOutcomes(outcome, ran.value.outcome)
      if (reviews === MAX_REVIEWS) return ok({ kind: 'reviewed', turns, outcome })
    }
  }

  /** Reviews what is unread on request of a person or the host's code, with a state that was removed restored first. */
  async request({ minTurns, model, signal }: { readonly minTurns?: number; readonly model?: HostModel; readonly signal?: AbortSignal }) {
    await this.#restore('find unread turns')
    return this.review({ why: 'request', minTurns }, { ownModel: model, model: this.#newestModel, signal })
  }

  /** Reviews a batch of turns that no session of the home has recorded, and marks their sources as read in the same update. */
  async learn(batch: LearnBatch, request: ReviewRequest): Promise<Result<ReviewRun>> {
    if (this.#home.stopping.aborted || request.signal?.aborted) return ok({ kind: 'stopped' })
    if (!this.#modelOf(request)) return ok({ kind: 'no-model' })
    const due = toDue(batch.turns, this.#home.options.intervals)
    const begun = await this.ofHome.beginWith(due, {
      paths: pathsOf(batch.read),
      check: (cut) => checkMarks(cut, batch.read, batch.marks),
    })
    if (!begun.ok) return begun
    if (!begun.value) return ok({ kind: 'busy' })
    const dropped = batch.turns.length - due.turns
    if (dropped > 0) this.#home.emit({ type: 'turns-dropped', sessionId: request.sessionId ?? '', at: this.#home.clock(), turns: dropped })
    return this.#run(begun.value, { ...request, reviewId: batch.learnId }, new LearningLease(this.ofHome, this.#home, batch))
  }

  /** Runs a due review, or adds it to the queue if there is one. 1 if a review read something. Failures are events. */
  async tend(signal: AbortSignal): Promise<number> {
    if (!this.#queue && !this.#home.options.review.model) return 0
    await this.#restore('find due reviews')
    if (this.#queue) {
      await this.#addMissing(this.#queue)
      return 0
    }
    const ran = await this.runNow({ why: 'turn' }, { signal })
    return ran.ok && ran.value.kind === 'reviewed' ? 1 : 0
  }

  /** Runs a review that a worker has claimed. */
  work(claim: ReviewClaim, signal: AbortSignal): Promise<WorkDone<ReviewWork>> {
    return workReview(claim, signal, { runner: this, reviews: this.ofHome, clock: this.#home.clock })
  }

  /** Cancels the running review, in whichever process, since it could still write what it has read. */
  cancel(): Promise<Result<void>> {
    this.#interrupt()
    return this.ofHome.cancel()
  }

  #interrupt(): void {
    for (const calling of this.#running) calling.abort()
  }

  #failed(error: HermesError, operation: string, sessionId?: string): void {
    const named = sessionId === undefined ? {} : { sessionId }
    this.#home.emit({ type: 'storage-failed', ...named, at: this.#home.clock(), operation, error })
  }

  #waits({ reason, turns }: Extract<AskedReview['answer'], { kind: 'waits' }>, sessionId: string | undefined): void {
    const named = sessionId === undefined ? {} : { sessionId }
    this.#home.emit({ type: 'review-waits', ...named, at: this.#home.clock(), reason, turns })
  }

  async #restore(operation: string): Promise<void> {
    const restored = await this.ofHome.restore()
    if (!restored.ok) this.#failed(restored.error, operation)
  }

  #modelOf({ ownModel, model }: ReviewRequest): HostModel | undefined {
    return ownModel ?? this.#home.options.review.model ?? model
  }

  async #begin(occasion: ReviewOccasion, sessionId: string | undefined): Promise<Result<BeginAnswer>> {
    const begun = await this.ofHome.begin(occasion)
    if (!begun.ok) this.#failed(begun.error, 'save reviews', sessionId)
    else if (begun.value.kind === 'waits' && begun.value.isFirstReport) this.#waits(begun.value, sessionId)
    return begun
  }

  async #reviewOnce(occasion: ReviewOccasion, request: ReviewRequest): Promise<Result<ReviewRun>> {
    const begun = await this.#begin(occasion, request.sessionId)
    if (!begun.ok) return begun
    const { value } = begun
    if (value.kind === 'begun') return this.#run(value.review, request)
    if (value.kind === 'due') return ok({ kind: 'queued' })
    return ok(value.kind === 'waits' ? { kind: value.kind, reason: value.reason } : value)
  }

  async #run(review: BegunReview, request: ReviewRequest, lease: ReviewLease = this.ofHome): Promise<Result<ReviewRun>> {
    const { signal, sessionId, reviewId, onCost } = request
    const calling = new AbortController()
    const onAbort = () => calling.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (this.#home.stopping.aborted || signal?.aborted) calling.abort()
    this.#running.add(calling)
    try {
      const settings = { model: this.#modelOf(request), sessionId, reviewId, calling, onCost }
      return await new RunningReview(this.#home, lease, review, settings).run()
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#running.delete(calling)
    }
  }

  /** True if an idle home would be reviewed. */
  #isWorthIdle(answer: AskedReview['answer']): boolean {
    return answer.kind === 'waits' || (answer.kind === 'nothing-due' && answer.unreadTurns >= Math.max(1, this.#home.options.minTurns))
  }

  /** Work behind the saving of turns, which a slow queue must not hold up. */
  #queueTurns(queue: QueuedReviews, answer: AskedReview['answer'], fence: number): (() => Promise<void>) | undefined {
    const isDue = answer.kind === 'start' || answer.kind === 'busy'
    if (!isDue && !this.#isWorthIdle(answer)) return undefined
    return () => queue.addBehind(isDue ? { kind: 'turns', fence } : { kind: 'idle' })
  }

  async #queueEnd(queue: QueuedReviews, occasion: ReviewOccasion, request: ReviewRequest): Promise<Result<ReviewRun>> {
    const asked = await this.#begin({ ...occasion, isQueued: true }, request.sessionId)
    if (!asked.ok) return asked
    const { value } = asked
    if (value.kind === 'waits') return ok({ kind: value.kind, reason: value.reason })
    if (value.kind !== 'due') return value.kind === 'begun' ? ok({ kind: 'busy' }) : ok(value)
    const added = await queue.add('end', this.#home.clock())
    return added.ok ? ok({ kind: 'queued' }) : added
  }

  /** Adds what is due and missing in the queue, as after a crash. */
  async #addMissing(queue: QueuedReviews): Promise<void> {
    const asked = await this.#begin({ why: 'turn', isQueued: true }, undefined)
    if (!asked.ok) return
    const { value } = asked
    if (value.kind === 'due') {
      await queue.add('turns', this.#home.clock())
      return
    }
    if (value.kind === 'nothing-due' && !this.#isWorthIdle(value)) return
    const times = await this.ofHome.times()
    if (!times.ok) this.#failed(times.error, 'find due reviews')
    else if (times.value.idleAt !== undefined) await queue.add('idle', times.value.idleAt)
  }
}
