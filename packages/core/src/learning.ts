/**
 * The sessions of a home and what it learns from them: reviews behind a turn, on request, by a worker and in the upkeep. The code of reviews is loaded when a
 * turn is first saved or a review is requested; until then none runs.
 */
import type { ForgettingSessions } from './erasure/forget.ts'
import type { ReviewOptions } from './hermes.ts'
import type { Home } from './home.ts'
import type { ProviderConnection } from './provider/provider-connection.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import type { ReviewClaim, ReviewQueue } from './queue/review-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import type { BackgroundTasks } from './session/background-tasks.ts'
import { HomeSession } from './session/home-session.ts'
import type { ReviewDue } from './session/review-due.ts'
import type { ReviewRun } from './session/review-request.ts'
import type { Reviews } from './session/reviews.ts'
import type { SessionHome, SessionOptions } from './session/session-home.ts'
import { Sessions } from './session/sessions.ts'
import type { ReviewWork } from './session/work-review.ts'
import { HermesError } from './shared/hermes-error.ts'
import { loadOnce, withLazy } from './shared/lazy.ts'
import { err, ok, type Result } from './shared/result.ts'
import type { WorkOptions, WorkReport } from './work-reviews.ts'

const sessionOptionsOf = ({ options, intervals, timeZone }: Home): SessionOptions => ({
  ...options.sessions,
  intervals,
  minTurns: options.nudge.minTurns,
  limits: { budget: options.review.budget, maxTokensPerDay: options.review.maxTokensPerDay },
  review: { ...options.review, timeZone },
  journalRetainDays: options.journal.retainDays,
  recallChars: options.memory.recallChars,
  trustedTools: options.trustedTools,
  background: options.background,
})

export class Learning {
  readonly sessions: Sessions
  /** The home as its sessions and reviews use it. */
  readonly sessionHome: SessionHome
  readonly #home: Home
  readonly #stopping = new AbortController()
  readonly #queue: ReviewQueue | undefined
  readonly #requested: BackgroundTasks

  constructor(home: Home, provider: ProviderConnection | undefined) {
    const { storage, clock, emit, identity, gate, journal, pending, skills: store, skillReader: reader, options } = home
    const { queue } = options.review
    const { enabled, catalog, shared, evaluate: evaluator, evaluation: limits } = options.skills
    const evaluation = evaluator && { evaluator, ...limits }
    const sessionOptions = sessionOptionsOf(home)
    this.#home = home
    this.#queue = queue && guardedQueue(queue)
    this.#requested = home.backgroundTasks()
    this.sessions = new Sessions((id, opened) => new HomeSession(this.sessionHome, id, opened))
    home.listeners.push((event) => {
      if (event.type === 'review-finished') this.sessions.noteLearned(event.sessionId, event.outcome)
    })
    this.sessionHome = {
      ...{ identity, storage, clock, gate, journal, pending, provider, emit },
      options: sessionOptions,
      skills: enabled
        ? { store, reader, createUsageStore: (onProblem) => home.openUsage(onProblem), catalog, shared, evaluation }
        : undefined,
      sharedMemory: options.memory,
      stopping: this.#stopping.signal,
      isQueued: queue !== undefined,
      activity: options.curator.enabled ? home.activity : undefined,
      reviews: () => this.#reviews(),
      session: (id, project) => this.sessions.get(id, { project }),
      memoryOf: (sessionId, onFailure, project) => home.memory.create({ actor: 'agent', sessionId }, onFailure, { project }),
      inOneUpdate: (actor, work, last) => home.inOneUpdate(actor, work, last),
      reviewStores: (over, told) => home.storesOver(over, 'review', told),
    }
  }

  readonly #load = loadOnce(async (): Promise<Reviews> => new (await import('./session/reviews.ts')).Reviews(this.sessionHome, this.#queue))

  #reviews(): Promise<Result<Reviews>> {
    return withLazy('The code of reviews', this.#load, async (reviews) => ok(reviews))
  }

  async #with<T>(use: (reviews: Reviews) => Promise<Result<T>>): Promise<Result<T>> {
    const reviews = await this.#reviews()
    return reviews.ok ? use(reviews.value) : reviews
  }

  get idle(): boolean {
    return this.sessions.idle && this.#requested.idle
  }

  /** Resolves when all turns are saved and all requested reviews are done. */
  async settled(): Promise<void> {
    await Promise.all([this.sessions.settled(), this.#requested.settled()])
  }

  /** Cancels reviews and stops workers. No review starts any more. */
  stop(): void {
    this.#stopping.abort()
  }

  /** See `Hermes.review`. */
  review(options: ReviewOptions): Promise<Result<ReviewRun>> {
    return this.request((reviews) => reviews.request(options))
  }

  /** A review that a person or the host's code asks for. */
  request(ask: (reviews: Reviews) => Promise<Result<ReviewRun>>): Promise<Result<ReviewRun>> {
    return this.#requested.resultOf(async () => {
      if (this.#stopping.signal.aborted) return ok({ kind: 'stopped' })
      await this.sessions.settled()
      return this.#with(ask)
    })
  }

  /** See `Hermes.reviewDue`. */
  async reviewDue(): Promise<Result<ReviewDue>> {
    await this.sessions.settled()
    return this.#with(async ({ ofHome }) => {
      const [state, { toReviewDue }] = await Promise.all([ofHome.read(), import('./session/review-due.ts')])
      return state.ok ? ok(toReviewDue(state.value, this.sessionHome.options, this.#home.clock())) : state
    })
  }

  /** See `Reviews.tend`. */
  async tend(signal: AbortSignal): Promise<number> {
    const tended = await this.#with(async (reviews) => ok(await reviews.tend(signal)))
    if (!tended.ok) this.#home.failed(tended.error, 'load reviews')
    return tended.ok ? tended.value : 0
  }

  /** Runs a review that a worker has claimed. */
  async workOn(claim: ReviewClaim, signal: AbortSignal): Promise<WorkDone<ReviewWork>> {
    const worked = await this.#with(async (reviews) => ok(await reviews.work(claim, signal)))
    if (!worked.ok) throw worked.error
    return worked.value
  }

  /** Works on the queue of a single home. */
  async work(options: WorkOptions): Promise<Result<WorkReport>> {
    const { owner, clock, failed, options: own } = this.#home
    if (owner) return err(new HermesError('invalid', 'A home of many has no worker of its own. Call work() on the homes.'))
    const home = {
      review: { ...own.review, queue: this.#queue },
      hasOwners: false,
      stopping: this.#stopping.signal,
      clock,
      failed,
    }
    return withLazy(
      'The code of workers',
      () => import('./work-reviews.ts'),
      ({ workReviews }) => workReviews(options, { ...home, work: (claim, signal) => this.workOn(claim, signal) }),
    )
  }

  /** Cancels the running review in any process, because it could still write what it has read. */
  async #cancel(): Promise<void> {
    const cancelled = await this.#with((reviews) => reviews.cancel())
    if (!cancelled.ok) this.#home.failed(cancelled.error, 'call off review')
  }

  /** The sessions of a home of which something is erased. */
  get forgetting(): ForgettingSessions {
    return {
      settled: () => this.sessions.settled(),
      forget: async (id) => {
        await this.#cancel()
        await this.sessions.forget(id)
        return this.#with((reviews) => reviews.ofHome.forget(id))
      },
      redact: async (redactor) => {
        await this.#cancel()
        await this.sessions.redact(redactor)
      },
    }
  }
}
