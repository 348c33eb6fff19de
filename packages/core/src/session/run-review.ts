/** Runs one review and reports it as events: unread turns → host model → gate → stores → journal. */

import type { JournalRecordInput } from '../journal/journal.ts'
import type { LedgerKind } from '../journal/journal-record.ts'
import type { HostModel } from '../model/host-model.ts'
import { addCosts, type LearningCost } from '../model/learning-cost.ts'
import { LEASE_MS, type ReviewFate } from '../nudge/decide-review.ts'
import { findUnwritten, isStorageFailure } from '../review/apply/unwritten.ts'
import { redactError } from '../review/redact-outcome.ts'
import { emptyOutcome, joinOutcomes, type ReviewOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { orError } from '../storage/one-document.ts'
import type { HermesEvent } from './hermes-event.ts'
import type { HomeReviews } from './home-reviews.ts'
import type { ReviewPassDeps } from './review-pass.ts'
import { type BegunReview, CALLED_OFF, type DueReview, kindOf, type ReviewRun } from './review-request.ts'
import type { ReviewStores, SessionHome } from './session-home.ts'
import { untilStopped } from './within-limit.ts'

export type ReviewedHome = Pick<SessionHome, 'storage' | 'clock' | 'options' | 'gate' | 'journal' | 'emit' | 'reviewStores'>

/** Settings of a single review. */
export interface ReviewRunSettings {
  readonly model: HostModel | undefined
  /** The session that started the review. Default: the newest session that it reads. */
  readonly sessionId: string | undefined
  /** Aborted if the review is cancelled. */
  readonly calling: AbortController
  /** Called once, if a model was called. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
}

const NO_MODEL = 'A review is due, but there is no model. Pass one with the turn, or set review.model in createHermes.'

const describeFigures = ({ applied, held, rejected, failed }: ReviewOutcome): string =>
  `Applied: ${applied.length}, held: ${held.length}, rejected: ${rejected.length}, failed: ${failed.length}.`

/** `undefined`: cancelled before the model answered, so nothing was learned. */
type LearnedOutcome = Result<ReviewOutcome> | undefined

/** An error if proposals could not be written and the turns are to be read again: what was written stays. */
const orUnwritten = (outcome: LearnedOutcome, { isLastTry }: DueReview): LearnedOutcome => {
  const unwritten = outcome?.ok && !isLastTry ? findUnwritten(outcome.value) : undefined
  return unwritten ? err(unwritten) : outcome
}

/** What is left out if nothing could be written: the changes themselves, then also that they wait. */
type WithoutWriting = 'changes' | 'changes and held proposals'
const WITHOUT_WRITING: readonly WithoutWriting[] = ['changes', 'changes and held proposals']

/** Stores that refuse it with the error of the storage. */
const withoutWriting = (stores: ReviewStores, what: WithoutWriting, error: HermesError): ReviewStores => {
  const refuse = async () => err(error)
  const { skills } = stores
  return {
    ...stores,
    createMemoryStore: (onFailure) => Object.assign(stores.createMemoryStore(onFailure), { apply: refuse }),
    skills: skills && { ...skills, store: Object.assign(skills.store, { commit: refuse, archive: refuse }) },
    pending: what === 'changes' ? stores.pending : { ...stores.pending, hold: refuse },
  }
}

/** Also if something else stands where a document goes. */
const isUnwritable = (error: HermesError): boolean => isStorageFailure(error) || error.code === 'invalid_path' || error.code === 'occupied'

const isCalledOff = (outcome: LearnedOutcome, { signal }: AbortController): boolean =>
  outcome === undefined || (!outcome.ok && signal.aborted && outcome.error.code === 'timeout')

const fateOf = (outcome: LearnedOutcome, calling: AbortController): ReviewFate =>
  outcome?.ok ? 'read' : isCalledOff(outcome, calling) ? 'stopped' : 'failed'

/** Never rejects for a failure of the model, the gate or the storage. */
export const runReview = async (
  home: ReviewedHome,
  reviews: Pick<HomeReviews, 'holding' | 'reading' | 'renew' | 'end'>,
  review: BegunReview,
  settings: ReviewRunSettings,
): Promise<Result<ReviewRun>> => {
  const { due } = review
  const { calling, model } = settings
  const { journal, clock, storage, gate } = home
  const sessionId = settings.sessionId ?? due.conversation.at(-1)?.sessionId ?? ''

  // Unique also among homes whose journals are merged.
  const reviewId = `${due.fence}-${clock().toString(36)}`

  const storageFailed = (error: HermesError, operation: string) =>
    home.emit({ type: 'storage-failed', sessionId, at: clock(), operation, error })

  const costs: LearningCost[] = []
  const onCost = (cost: LearningCost) => costs.push(cost)

  const recordOf = (kind: LedgerKind, reason: string, error?: HermesError): JournalRecordInput => {
    const cost = addCosts(costs)
    const failure = error && { error: { code: error.code, message: error.message } }
    return { sessionId, review: reviewId, actor: 'review', kind, reason, ...(cost ? { cost } : {}), ...failure }
  }

  const learn = async (): Promise<LearnedOutcome> => {
    if (!model) return err(new HermesError('model', NO_MODEL))
    const pass = {
      ...home.reviewStores(storage, home.emit),
      write,
      gate,
      clock,
      settings: home.options.review,
      sessionId,
      reviewId,
      onFailure: storageFailed,
      onCost,
    }
    const passes = withLate(
      'The code of reviews',
      () => import('./review-passes.ts'),
      ({ runReviewPasses }) => runReviewPasses(pass, due, model, calling.signal),
    )
    return untilStopped<LearnedOutcome>(passes, calling.signal, undefined)
  }

  /** All that was learned, once the review has ended in the update that wrote it. */
  let learned: ReviewOutcome | undefined
  /** The update that ends the review; once the storage has it, nothing stops it. */
  let lastUpdate: Promise<unknown> | undefined
  let isEnding = false

  const writePass: ReviewPassDeps['write'] = async ({ isLast, done = emptyOutcome() }, dispose) => {
    const ends = (outcome: Result<ReviewOutcome>) => isLast && outcome.ok
    let events: HermesEvent[] = []
    const { inputTokens = 0, outputTokens = 0 } = addCosts(costs) ?? {}
    const attempt = (without: WithoutWriting | undefined, error: HermesError | undefined) =>
      inTransaction(
        storage,
        async (over) => {
          events = []
          const stores = home.reviewStores(over, (event) => events.push(event))
          const disposed = await dispose(without && error ? withoutWriting(stores, without, error) : stores)
          const whole = disposed.ok ? orUnwritten(ok(joinOutcomes(done, disposed.value)), due) : disposed
          const outcome = whole?.ok === false ? whole : disposed
          if (!ends(outcome) || !whole?.ok) return ok(outcome)
          const recorded = await stores.journal.append([recordOf('review-finished', describeFigures(whole.value))])
          return recorded.ok ? ok(outcome) : recorded
        },
        (outcome) => {
          if (!ends(outcome)) return reviews.holding(review)
          isEnding = true
          return reviews.reading(review, inputTokens + outputTokens)
        },
      )
    let written = await orError(() => attempt(undefined, undefined))
    // No later review reads these turns, so what cannot be written waits for a person, or else is in the journal alone.
    for (const without of due.isLastTry ? WITHOUT_WRITING : []) {
      const { error } = written.ok ? {} : written
      if (error && isUnwritable(error)) written = await orError(() => attempt(without, error))
    }
    if (!written.ok) return written
    for (const event of events) home.emit(event)
    if (written.value.ok && ends(written.value)) learned = joinOutcomes(done, written.value.value)
    return written.value
  }

  const write: ReviewPassDeps['write'] = (pass, dispose) => {
    const written = writePass(pass, async (stores) => (calling.signal.aborted ? err(CALLED_OFF) : dispose(stores)))
    if (pass.isLast) lastUpdate = written
    return written
  }

  // Set if the review lost its lease or its end could not be saved: its turns stay unread.
  let lost: HermesError | undefined

  /** Renews the lease while the review runs; a lost lease cancels the review. */
  const renew = async () => {
    const renewed = await reviews.renew(review)
    if (renewed.ok) return
    if (renewed.error.code === 'superseded') {
      // The update decides itself, and ends the lease.
      if (isEnding) return
      lost = renewed.error
      calling.abort()
    } else storageFailed(renewed.error, 'renew review')
  }

  /** Always releases the lease, so that the next review need not wait for it to expire. Resolves to an error if the turns do not count as read. */
  const end = async (fate: ReviewFate): Promise<HermesError | undefined> => {
    const { inputTokens = 0, outputTokens = 0 } = addCosts(costs) ?? {}
    const ended = await reviews.end(review, fate, inputTokens + outputTokens)
    if (ended.ok && ended.value.paused) home.emit({ type: 'learning-paused', sessionId, at: clock(), ...ended.value.paused })
    if (ended.ok) return undefined
    if (ended.error.code !== 'superseded') storageFailed(ended.error, 'save reviews')
    return fate === 'read' ? ended.error : undefined
  }

  /** Records in the journal how the review ended. */
  const record = async (kind: LedgerKind, reason: string, error?: HermesError): Promise<void> => {
    const written = await journal.append([recordOf(kind, reason, error)])
    // A review is also stopped because its home is closed or erased; the journal is then closed, which is no failure.
    const isGone = kind === 'review-stopped' && !written.ok && written.error.code === 'closed'
    if (!written.ok && !isGone) storageFailed(written.error, 'journal')
  }

  const spent = () => {
    const cost = addCosts(costs)
    return cost ? { cost } : {}
  }

  const fail = async (failure: HermesError): Promise<Result<never>> => {
    const error = redactError(failure)
    await record('review-failed', error.message, error)
    home.emit({ type: 'review-failed', sessionId, at: clock(), error, ...spent() })
    return err(error)
  }

  const timer = setInterval(renew, LEASE_MS / 3)
  home.emit({ type: 'review-started', sessionId, at: clock(), reviews: kindOf(due), turns: due.turns, iterations: due.iterations })
  let outcome: LearnedOutcome
  let fate: ReviewFate = 'failed'
  try {
    outcome = await learn()
    // After an error, changes that were already approved stay written and recorded; the review still counts as failed.
    fate = fateOf(outcome, calling)
  } finally {
    clearInterval(timer)
    if (isEnding) await lastUpdate
    if (learned) outcome = ok(learned)
    else lost = (await end(fate)) ?? lost
    const cost = addCosts(costs)
    if (cost) settings.onCost?.(cost)
  }
  if (lost && !learned) return fail(lost)
  if (outcome?.ok) {
    if (!learned) await record('review-finished', describeFigures(outcome.value))
    home.emit({ type: 'review-finished', sessionId, at: clock(), outcome: outcome.value, ...spent() })
    const turns = due.conversation.filter(({ readers }) => readers.words || readers.everything).length
    return ok({ kind: 'reviewed', turns, outcome: outcome.value })
  }
  if (outcome === undefined || fate === 'stopped') {
    home.emit({ type: 'review-stopped', sessionId, at: clock(), ...spent() })
    if (costs.length > 0) await record('review-stopped', 'It was cancelled before its model had answered.')
    return ok({ kind: 'stopped' })
  }
  return fail(outcome.error)
}
