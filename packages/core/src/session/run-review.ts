/** Runs one review and reports it as events: unread turns → host model → gate → stores → journal. */

import { evaluationBy } from '../evaluation/evaluation.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import type { LedgerKind } from '../journal/journal-record.ts'
import { addCosts } from '../model/add-costs.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { LEASE_MS, type ReviewFate } from '../nudge/decide-review.ts'
import { findUnwritten, isUnwritable, joinOutcomes, type ReviewOutcome, redactError } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { orError } from '../storage/one-document.ts'
import type { HomeReviews } from './home-reviews.ts'
import { type BegunReview, CALLED_OFF, kindOf, type ReviewRun } from './review-request.ts'
import type { ReviewStores, SessionHome } from './session-home.ts'
import { untilStopped } from './within-limit.ts'
import { WITHOUT_WRITING, withoutWriting } from './without-writing.ts'

export type ReviewLease = Pick<HomeReviews, 'holding' | 'reading' | 'renew' | 'end'>

/** Settings of a single review. */
export interface ReviewRunSettings {
  readonly model: HostModel | undefined
  /** The session that started the review. Default: the newest session that it reads. */
  readonly sessionId: string | undefined
  /** Aborted if the review is cancelled. */
  readonly calling: AbortController
  /** Of the act that the review is a part of. Default: one of its own. */
  readonly reviewId?: string | undefined
  /** Called once, if a model was called. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
}

const NO_MODEL = 'A review is due, but there is no model. Pass one with the turn, or set review.model in createHermes.'

const describeFigures = ({ applied, held, rejected, failed }: ReviewOutcome): string =>
  `Applied: ${applied.length}, held: ${held.length}, rejected: ${rejected.length}, failed: ${failed.length}.`

/** `undefined`: cancelled before the model answered, so nothing was learned. */
type LearnedOutcome = Result<ReviewOutcome> | undefined
type Dispose = (stores: ReviewStores) => Promise<Result<ReviewOutcome>>

/** `isLast`: no other pass follows, so its update ends the review too. */
interface PassEnd {
  readonly isLast: boolean
  readonly done: ReviewOutcome
}

export class RunningReview {
  readonly #home: SessionHome
  readonly #reviews: ReviewLease
  readonly #review: BegunReview
  readonly #settings: ReviewRunSettings
  readonly #sessionId: string
  /** Unique also among homes whose journals are merged. */
  readonly #reviewId: string
  readonly #costs: LearningCost[] = []
  /** All that was learned, once the review has ended in the update that wrote it. */
  #learned: ReviewOutcome | undefined
  #isEnding = false
  /** The update that ends the review; once the storage has it, nothing stops it. */
  #lastUpdate: Promise<unknown> | undefined
  // Its turns stay unread: it lost its lease, or its end could not be saved.
  #lost: HermesError | undefined

  constructor(home: SessionHome, reviews: ReviewLease, review: BegunReview, settings: ReviewRunSettings) {
    this.#home = home
    this.#reviews = reviews
    this.#review = review
    this.#settings = settings
    this.#sessionId = settings.sessionId ?? review.due.conversation.at(-1)?.sessionId ?? ''
    this.#reviewId = settings.reviewId ?? `${review.due.fence}-${home.clock().toString(36)}`
  }

  /** Never rejects for a failure of the model, the gate or the storage. */
  async run(): Promise<Result<ReviewRun>> {
    const { due } = this.#review
    const { emit } = this.#home
    const timer = setInterval(() => this.#renew(), LEASE_MS / 3)
    emit({ type: 'review-started', ...this.#event(), reviews: kindOf(due), turns: due.turns, iterations: due.iterations })
    let fate: ReviewFate = 'failed'
    let outcome: LearnedOutcome
    try {
      outcome = await this.#learn()
      // After an error, changes that were already approved stay written and recorded; the review still counts as failed.
      const isCalledOff = !outcome || (!outcome.ok && this.#settings.calling.signal.aborted && outcome.error.code === 'timeout')
      fate = outcome?.ok ? 'read' : isCalledOff ? 'stopped' : 'failed'
    } finally {
      clearInterval(timer)
      if (this.#isEnding) await this.#lastUpdate
      if (!this.#learned) this.#lost = (await this.#end(fate)) ?? this.#lost
      const { cost } = this.#spent()
      if (cost) this.#settings.onCost?.(cost)
    }
    const learned = this.#learned ?? (outcome?.ok ? outcome.value : undefined)
    if (this.#lost && !this.#learned) return this.#fail(this.#lost)
    if (learned) {
      if (!this.#learned) await this.#record('review-finished', describeFigures(learned))
      emit({ type: 'review-finished', ...this.#event(), outcome: learned, ...this.#spent() })
      const turns = due.conversation.filter(({ readers }) => readers.words || readers.everything).length
      return ok({ kind: 'reviewed', turns, outcome: learned })
    }
    if (outcome && !outcome.ok && fate !== 'stopped') return this.#fail(outcome.error)
    emit({ type: 'review-stopped', ...this.#event(), ...this.#spent() })
    if (this.#costs.length > 0) await this.#record('review-stopped', 'It was cancelled before its model had answered.')
    return ok({ kind: 'stopped' })
  }

  async #learn(): Promise<LearnedOutcome> {
    const { storage, journal, emit, gate, clock, options, skills, reviewStores } = this.#home
    const { calling, model } = this.#settings
    const { due } = this.#review
    if (!model) return err(new HermesError('model', NO_MODEL))
    // A journal that cannot be written would fail the review again, once its model is paid.
    const retried = due.isRetry
      ? await journal.append([this.#recordOf('review-retried', 'The last review of this home failed.')])
      : undefined
    if (retried?.ok === false) return retried
    const onCost = (cost: LearningCost) => this.#costs.push(cost)
    const review = {
      ...reviewStores(storage, emit),
      due,
      gate,
      evaluate: evaluationBy(skills?.evaluation, { model, clock, signal: calling.signal, onCost }),
      clock,
      settings: options.review,
      sessionId: this.#sessionId,
      reviewId: this.#reviewId,
      stopping: calling.signal,
      onFailure: this.#storageFailed,
      onCost,
      write: (dispose: Dispose, pass: PassEnd) => {
        const written = this.#write(dispose, pass)
        if (pass.isLast) this.#lastUpdate = written
        return written
      },
    }
    const passes = withLazy(
      'The code of reviews',
      () => import('./review-passes.ts'),
      ({ ReviewPasses }) => new ReviewPasses(review, model).run(),
    )
    return untilStopped<LearnedOutcome>(passes, calling.signal, undefined)
  }

  async #write(dispose: Dispose, pass: PassEnd): Promise<Result<ReviewOutcome>> {
    let written = await orError(() => this.#attempt(dispose, pass))
    // No later review reads these turns, so what cannot be written waits for a person, or else is in the journal alone.
    for (const without of this.#review.due.isLastTry ? WITHOUT_WRITING : []) {
      const { error } = written.ok ? {} : written
      if (error && isUnwritable(error))
        written = await orError(() => this.#attempt((stores) => dispose(withoutWriting(stores, without, error)), pass))
    }
    if (!written.ok) return written
    if (written.value.ok && pass.isLast) this.#learned = joinOutcomes(pass.done, written.value.value)
    return written.value
  }

  /** One update. An error inside the result has been written as far as it got: its records stay. */
  #attempt(dispose: Dispose, { isLast, done }: PassEnd): Promise<Result<Result<ReviewOutcome>>> {
    const { due } = this.#review
    return this.#home.inOneUpdate<Result<ReviewOutcome>>(
      'review',
      async (stores) => {
        const disposed = this.#settings.calling.signal.aborted ? err(CALLED_OFF) : await dispose(stores)
        if (!disposed.ok) return ok(disposed)
        const whole = joinOutcomes(done, disposed.value)
        // What was written stays, and the turns are read again.
        const unwritten = due.isLastTry ? undefined : findUnwritten(whole)
        if (unwritten) return ok(err(unwritten))
        if (!isLast) return ok(disposed)
        const recorded = await stores.journal.append([this.#recordOf('review-finished', describeFigures(whole))])
        return recorded.ok ? ok(disposed) : recorded
      },
      (outcome) => {
        if (!isLast || !outcome.ok) return this.#reviews.holding(this.#review)
        this.#isEnding = true
        return this.#reviews.reading(this.#review, this.#tokens())
      },
    )
  }

  /** Extends the lease while the review runs; a lost lease cancels the review. */
  async #renew(): Promise<void> {
    const renewed = await this.#reviews.renew(this.#review)
    if (renewed.ok) return
    if (renewed.error.code !== 'superseded') this.#storageFailed(renewed.error, 'renew review')
    // The update that ends the review decides itself, and ends the lease.
    else if (!this.#isEnding) {
      this.#lost = renewed.error
      this.#settings.calling.abort()
    }
  }

  /** Always releases the lease, so that the next review need not wait for it to expire. Resolves to an error if the turns do not count as read. */
  async #end(fate: ReviewFate): Promise<HermesError | undefined> {
    const ended = await this.#reviews.end(this.#review, fate, this.#tokens())
    if (ended.ok && ended.value.paused) this.#home.emit({ type: 'learning-paused', ...this.#event(), ...ended.value.paused })
    if (ended.ok) return undefined
    if (ended.error.code !== 'superseded') this.#storageFailed(ended.error, 'save reviews')
    return fate === 'read' ? ended.error : undefined
  }

  async #fail(failure: HermesError): Promise<Result<never>> {
    const error = redactError(failure)
    await this.#record('review-failed', error.message, error)
    this.#home.emit({ type: 'review-failed', ...this.#event(), error, ...this.#spent() })
    return err(error)
  }

  #recordOf(kind: LedgerKind, reason: string, error?: HermesError): JournalRecordInput {
    const failure = error && { error: { code: error.code, message: error.message } }
    return { sessionId: this.#sessionId, review: this.#reviewId, actor: 'review', kind, reason, ...this.#spent(), ...failure }
  }

  /** Records in the journal how the review ended. */
  async #record(kind: LedgerKind, reason: string, error?: HermesError): Promise<void> {
    const written = await this.#home.journal.append([this.#recordOf(kind, reason, error)])
    // A review is also stopped because its home is closed or erased; the journal is then closed, which is no failure.
    const isGone = kind === 'review-stopped' && !written.ok && written.error.code === 'closed'
    if (!written.ok && !isGone) this.#storageFailed(written.error, 'journal')
  }

  readonly #storageFailed = (error: HermesError, operation: string): void =>
    this.#home.emit({ type: 'storage-failed', ...this.#event(), operation, error })

  #event() {
    return { sessionId: this.#sessionId, at: this.#home.clock() }
  }

  #spent(): { readonly cost?: LearningCost } {
    const cost = addCosts(this.#costs)
    return cost ? { cost } : {}
  }

  #tokens(): number {
    const { inputTokens = 0, outputTokens = 0 } = addCosts(this.#costs) ?? {}
    return inputTokens + outputTokens
  }
}
