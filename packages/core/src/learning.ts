/**
 * The reviews of a home: which is due, what it runs with, how it is cancelled, and whether a queue finds it. Their code is loaded when a turn is first saved or a
 * review is requested; until then none runs.
 */
import type { ForgetDeps } from './erasure/forget.ts'
import type { ReviewOptions } from './hermes.ts'
import type { Home } from './home.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import type { ReviewClaim, ReviewQueue } from './queue/review-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import { type BackgroundTasks, resultOf } from './session/background-tasks.ts'
import type { HomeReviews } from './session/home-reviews.ts'
import type { QueuedReviews } from './session/queued-reviews.ts'
import type { ReviewRunner } from './session/review-runner.ts'
import type { ReviewRun, ReviewStores } from './session/run-review.ts'
import type { SessionHandles } from './session/session-handles.ts'
import { removeSession } from './session/session-record.ts'
import type { ReviewWork } from './session/work-review.ts'
import { HermesError } from './shared/hermes-error.ts'
import { loadOnce, withLate } from './shared/load-late.ts'
import { err, ok, type Result } from './shared/result.ts'
import { SkillStore } from './skills/skill-store.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import type { WorkOptions, WorkReport } from './work-reviews.ts'

interface Opened {
  readonly reviews: HomeReviews
  /** Runs the reviews in this process. */
  readonly local: ReviewRunner
  /** Undefined without a queue. */
  readonly queued: QueuedReviews | undefined
  /** `queued`, else `local`. */
  readonly runner: ReviewRunner
}

export class Learning implements ReviewRunner {
  readonly #home: Home
  readonly #queue: ReviewQueue | undefined
  /** Aborted by `stop`. */
  readonly #stopping = new AbortController()
  readonly #requested: BackgroundTasks
  #opened: Opened | undefined

  constructor(home: Home) {
    const { queue } = home.options.review
    this.#home = home
    this.#queue = queue && guardedQueue(queue)
    this.#requested = home.backgroundTasks()
  }

  readonly #open = loadOnce(async (): Promise<Opened> => {
    const [{ homeReviews }, { reviewRunner }, { queuedReviews }, { createJournal }, { createPending }] = await Promise.all([
      import('./session/home-reviews.ts'),
      import('./session/review-runner.ts'),
      import('./session/queued-reviews.ts'),
      import('./journal/journal.ts'),
      import('./journal/pending.ts'),
    ])
    const { storage, clock, createId, owner, intervals, gate, journal, emit, failed, options } = this.#home
    const { budget, maxTokensPerDay } = options.review
    const { minTurns } = options.nudge
    const reviews = homeReviews({
      storage,
      clock,
      intervals,
      minTurns,
      limits: { budget, maxTokensPerDay },
      keepText: options.sessions.keepText,
      onFailure: (operation, error) => failed(error, operation),
    })
    const openStores = (over: StorageBackend): ReviewStores => {
      const store = new SkillStore({ storage: over, clock })
      const usage = this.#home.openUsage(undefined, over)
      return {
        createMemoryStore: (onFailure) => this.#home.memory.create({ actor: 'review' }, onFailure, { storage: over }),
        skills: options.skills.enabled ? { store, reader: this.#home.readerOf(store), usage, storage: over, clock } : undefined,
        journal: createJournal({ storage: over, clock, createId }),
        pending: createPending({ storage: over, clock }),
      }
    }
    const local = reviewRunner({ reviews, storage, openStores, settings: options.review, gate, journal, clock, emit })
    const queued = this.#queue && queuedReviews({ queue: this.#queue, owner, runner: local, reviews, minTurns, clock, failed })
    this.#opened = { reviews, local, queued, runner: queued ?? local }
    if (this.stopped) local.stop()
    return this.#opened
  })

  /** The result of work with the reviews; an error if their code cannot be loaded. */
  #with<T>(use: (opened: Opened) => Promise<Result<T>>): Promise<Result<T>> {
    return withLate('The code of reviews', this.#open, use)
  }

  /** The same for work whose failure is an event. */
  async #try(operation: string, use: (opened: Opened) => Promise<Result<unknown>>): Promise<void> {
    const done = await this.#with(use)
    if (!done.ok) this.#home.failed(done.error, operation)
  }

  get newestModel() {
    return this.#opened?.runner.newestModel
  }

  get stopped(): boolean {
    return this.#stopping.signal.aborted
  }

  get idle(): boolean {
    return this.#requested.idle
  }

  /** Resolves when all requested reviews are done. */
  settled(): Promise<void> {
    return this.#requested.settled()
  }

  async turnsSaved(...[occasion, request]: Parameters<ReviewRunner['turnsSaved']>): ReturnType<ReviewRunner['turnsSaved']> {
    let due: Awaited<ReturnType<ReviewRunner['turnsSaved']>>
    await this.#try('load reviews', async ({ runner }) => {
      due = await runner.turnsSaved(occasion, request)
      return ok(undefined)
    })
    return due
  }

  ask(...given: Parameters<ReviewRunner['ask']>): ReturnType<ReviewRunner['ask']> {
    return this.#with(({ runner }) => runner.ask(...given))
  }

  review(...given: Parameters<ReviewRunner['review']>): ReturnType<ReviewRunner['review']> {
    return this.#with(({ runner }) => runner.review(...given))
  }

  interrupt(): void {
    this.#opened?.local.interrupt()
  }

  /** Also stops workers. */
  stop(): void {
    this.#stopping.abort()
    this.#opened?.local.stop()
  }

  /** `hermes.review`, once `turnsSettled` has saved all turns of this process. */
  request({ minTurns, model, signal }: ReviewOptions, turnsSettled: () => Promise<void>): Promise<Result<ReviewRun>> {
    return resultOf(this.#requested, async () => {
      if (this.stopped) return ok({ kind: 'stopped' })
      await turnsSettled()
      await this.#try('find unread turns', ({ reviews }) => reviews.findUnread())
      return this.review({ why: 'request', minTurns }, { ownModel: model, model: this.newestModel, signal })
    })
  }

  /** Runs a due review, or adds it to the queue if there is one. 1 if a review read something. Failures are events. */
  async tend(signal: AbortSignal): Promise<number> {
    let reviewed = 0
    await this.#try('load reviews', async ({ queued, local, reviews }) => {
      if (queued) await queued.addMissing()
      if (queued || !this.#home.options.review.model) return ok(undefined)
      const found = await reviews.findUnread()
      if (!found.ok) this.#home.failed(found.error, 'find due reviews')
      const ran = await local.review({ why: 'turn' }, { signal })
      if (ran.ok && ran.value.kind === 'reviewed') reviewed = 1
      return ok(undefined)
    })
    return reviewed
  }

  /** Runs a review that a worker has claimed. */
  async workOn(claim: ReviewClaim, signal: AbortSignal): Promise<WorkDone<ReviewWork>> {
    const [{ workReview }, { local, reviews }] = await Promise.all([import('./session/work-review.ts'), this.#open()])
    return workReview(claim, signal, { runner: local, reviews, clock: this.#home.clock })
  }

  /** Works on the queue of a single home. */
  async work(options: WorkOptions): Promise<Result<WorkReport>> {
    const { owner, clock, failed, options: own } = this.#home
    if (owner) return err(new HermesError('invalid', 'A home of many has no worker of its own. Call work() on the homes.'))
    const home = {
      queue: this.#queue,
      hasModel: own.review.model !== undefined,
      hasOwners: false,
      stopping: this.#stopping.signal,
      clock,
      failed,
    }
    return withLate(
      'The code of workers',
      () => import('./work-reviews.ts'),
      ({ workReviews }) => workReviews(options, { ...home, work: (claim, signal) => this.workOn(claim, signal) }),
    )
  }

  /** Cancels the running review in any process, because it could still write what it has read. */
  async #callOff(): Promise<void> {
    this.interrupt()
    await this.#try('call off review', ({ reviews }) => reviews.revoke())
  }

  /** Forgets text in open sessions, after running reviews were cancelled. */
  forgetting(sessions: SessionHandles): ForgetDeps['sessions'] {
    return {
      settled: sessions.settled,
      forget: async (id) => {
        await this.#callOff()
        await sessions.forget(id)
        await this.#try('forget session', ({ reviews }) => reviews.forgetSession(id))
      },
      redact: async (redaction) => {
        await this.#callOff()
        await sessions.redact(redaction)
      },
    }
  }

  /** Also removes the session's record. */
  async forgetSession(sessions: SessionHandles, id: string): Promise<Result<void>> {
    await this.forgetting(sessions).forget(id)
    const removed = await removeSession(this.#home.storage, id)
    // A review that started meanwhile may have read the record.
    await this.#callOff()
    return removed
  }
}
