/**
 * The reviews of one home, across processes: which one is due, which one runs, what it reads, and which turns count as read. One at a time, by a lease in
 * `sessions/.reviews.json`, the only place of these marks; each verb is one update of it and of the records concerned.
 */
import {
  endReview,
  LEASE_MS,
  MAX_FAILURES,
  type ReviewAnswer,
  type ReviewFate,
  renewReview,
  startReview,
  withoutDeadReview,
  withoutReview,
} from '../nudge/decide-review.ts'
import {
  EMPTY_REVIEW_STATE,
  IDLE_AFTER_MS,
  newestTurnAt,
  REVIEW_STATE_PATH,
  type ReviewState,
  reviewStateSchema,
  withoutSession,
} from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { LastPlan } from '../storage/in-transaction.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { Cut } from '../storage/storage-backend.ts'
import { clearRecords, collectTurns } from './collect-turns.ts'
import { HomeCounts } from './home-counts.ts'
import type { BeginAnswer, BegunReview, DueReview, ReviewOccasion } from './review-request.ts'
import type { StatePlan } from './session-home.ts'
import { isOfSession, sessionPath, UNREADABLE_FOLDER } from './session-record.ts'

/** What a worker needs to know of a home. */
export interface ReviewTimes {
  /** Epoch milliseconds at which the home counts as idle; undefined if it has no turns. */
  readonly idleAt: number | undefined
  /** Epoch milliseconds until which no review starts after too many failures; undefined if none failed. */
  readonly pausedUntil: number | undefined
  /** A review has begun and has not ended, or its process died. Its turns do not count as due. */
  readonly isReviewing: boolean
}

export interface EndedReview {
  /** Set if this failure paused learning: no review starts automatically until `until` (epoch milliseconds). */
  readonly paused?: { readonly failures: number; readonly until: number }
}

const superseded = (): HermesError =>
  new HermesError(
    'superseded',
    'This review has lost its lease: it was not renewed for a minute and another review took over, or it was cancelled. It writes nothing more.',
  )

const NOTHING = { words: false, everything: false, skills: false } as const

export class HomeReviews extends HomeCounts {
  /** Takes the lease if a review is due, and collects what it reads. */
  async begin(occasion: ReviewOccasion): Promise<Result<BeginAnswer>> {
    const { why, saved, before, minTurns, isQueued = false } = occasion
    const at = this.home.clock()
    const onlySession = this.onlySession(saved)
    const begun = await this.update([], (current) => {
      const asked = this.ask(current, { why, minTurns, onlySession, at, before, mayStart: true, isQueued })
      const { answer } = asked
      const begins = answer.kind === 'start' && !isQueued
      const state = begins ? startReview(asked.state, answer.scope, at, onlySession) : asked.state
      return { state, value: { ...asked, state } }
    })
    if (!begun.ok) return begun
    const { answer, isFirstReport, state } = begun.value
    if (answer.kind === 'waits') return ok({ ...answer, isFirstReport })
    if (isQueued && (answer.kind === 'start' || answer.kind === 'busy')) return ok({ kind: 'due', fence: state.fence })
    if (answer.kind !== 'start') return ok(answer)
    const review = await this.#collect(state, answer, occasion)
    if (review.due.conversation.length > 0) return ok({ kind: 'begun', review })
    const ended = await this.end(review, 'read', 0)
    if (!ended.ok) this.failed('save reviews', ended.error)
    return ok({ kind: 'nothing-due', unreadTurns: 0 })
  }

  /**
   * Takes the lease for turns that no session of the home has recorded; what is unread stays unread. Undefined: another review is running. `check` throws if the
   * documents at `paths` forbid it.
   */
  async beginWith(
    due: Omit<DueReview, 'fence'>,
    { paths, check }: { readonly paths: readonly string[]; readonly check: (cut: Cut) => void },
  ): Promise<Result<BegunReview | undefined>> {
    const at = this.home.clock()
    const begun = await this.update(paths, (current, cut) => {
      check(cut)
      const alive = withoutDeadReview(current, at)
      const state = alive.review ? alive : startReview(alive, NOTHING, at, '')
      return { state, value: alive.review ? undefined : state.fence }
    })
    if (!begun.ok || begun.value === undefined) return begun.ok ? ok(undefined) : begun
    return ok({ due: { ...due, fence: begun.value }, readTo: new Map(), gone: [] })
  }

  /** What decides, in the update of what a review writes, whether it may: an error if another review has taken over or another process cancelled this one. */
  holding({ due }: BegunReview): LastPlan<undefined> {
    return this.planOf([], (current) => {
      if (current.review?.fence !== due.fence) throw superseded()
      return { value: undefined }
    })
  }

  /** Extends the lease by a minute. */
  async renew({ due }: BegunReview): Promise<Result<{ readonly until: number }>> {
    const at = this.home.clock()
    const renewed = await this.update([], (current) => {
      const state = renewReview(current, due.fence, at)
      return { state, value: state !== undefined }
    })
    if (!renewed.ok) return renewed
    return renewed.value ? ok({ until: at + LEASE_MS }) : err(superseded())
  }

  /**
   * Releases the lease. Fate `read`: its turns now count as read, no other review reads them, and their text leaves the records in the same update. An error if
   * another review has taken over.
   */
  async end(review: BegunReview, fate: ReviewFate, tokens: number): Promise<Result<EndedReview>> {
    const { paths, plan } = this.#ending(review, fate, tokens)
    const ended = await this.update(paths, plan)
    if (!ended.ok) return ended
    const { failures, pausedUntil: until } = ended.value
    return ok(fate === 'failed' && until !== undefined ? { paused: { failures, until } } : {})
  }

  /** The same as the last plan of the update in which the review writes what it has learned. */
  reading(review: BegunReview, tokens: number): LastPlan<unknown> {
    const { paths, plan } = this.#ending(review, 'read', tokens)
    return this.planOf(paths, plan)
  }

  #ending({ due, readTo, gone }: BegunReview, fate: ReviewFate, tokens: number) {
    const at = this.home.clock()
    const read = fate === 'read' ? [...readTo.keys()] : []
    const plan = (current: ReviewState, cut: Cut): StatePlan<ReviewState> => {
      const over = endReview(current, { fence: due.fence, fate, readTo, tokens, at })
      if (over === undefined) throw superseded()
      if (fate !== 'read') return { state: over, value: over }
      const { state, put } = clearRecords(over, { read, gone, intervals: this.home.options.intervals }, cut)
      return { state, put, value: state }
    }
    return { paths: read.map(sessionPath), plan }
  }

  /** Cancels the running review, in whichever process; it becomes due again. */
  cancel(): Promise<Result<void>> {
    return this.update([], (current) => ({ state: withoutReview(current), value: undefined }))
  }

  /** Removes a session: its record, copies of it, and what the state holds about it. Cancels the running review, which may have read it. */
  forget(id: string): Promise<Result<undefined>> {
    const plan = (current: ReviewState, cut: Cut): StatePlan<undefined> => {
      const copies = cut.list(`${UNREADABLE_FOLDER}/`).filter(({ path }) => isOfSession(path, id))
      const gone = [sessionPath(id), ...copies.map(({ path }) => path)]
      const known = current.sessions.some((session) => session.id === id) ? withoutSession(current, id) : current
      return { state: withoutReview(known), put: Object.fromEntries(gone.map((path) => [path, null])), value: undefined }
    }
    return this.update([sessionPath(id), `${UNREADABLE_FOLDER}/`], plan, { forget: true })
  }

  async times(): Promise<Result<ReviewTimes>> {
    const found = await this.read()
    if (!found.ok) return found
    const { value: state = EMPTY_REVIEW_STATE } = found
    const newestAt = newestTurnAt(state)
    const idleAt = newestAt === undefined ? undefined : newestAt + IDLE_AFTER_MS
    return ok({ idleAt, pausedUntil: state.pausedUntil, isReviewing: state.review !== undefined })
  }

  /** Undefined if nothing was counted yet. */
  read(): Promise<Result<ReviewState | undefined>> {
    return readJsonDocument(this.home.storage, REVIEW_STATE_PATH, reviewStateSchema)
  }

  /** Rebuilds a state that was removed, as far as the session records tell. */
  async restore(): Promise<Result<void>> {
    const found = await this.read()
    if (found.ok && found.value) return ok(undefined)
    return found.ok || found.error.code === 'unreadable' ? this.rebuild() : found
  }

  /** The turns that the review reads. */
  async #collect(
    { fence, failures, sessions }: ReviewState,
    { scope, turns, iterations }: Extract<ReviewAnswer, { kind: 'start' }>,
    { saved, project, shown = [], tainted = false }: ReviewOccasion,
  ): Promise<BegunReview> {
    const { keepText } = this.home.options
    const tries = { isLastTry: !keepText || failures + 1 >= MAX_FAILURES, isRetry: keepText && failures > 0 }
    const place = project === undefined ? {} : { project }
    const known = { fence, scope, turns, iterations, shown, ...place, tainted, ...tries }
    if (!keepText && saved) {
      const conversation = [{ sessionId: saved.id, ...place, messages: shown, tainted, readers: scope }]
      const marks = { words: saved.turns, everything: saved.turns, skills: saved.turns }
      return { due: { ...known, conversation, loadedSkills: [], failedUses: [] }, readTo: new Map([[saved.id, marks]]), gone: [] }
    }
    const { readTo, gone, ...read } = await collectTurns(this.home.storage, sessions, {
      scope,
      newest: saved?.id,
      onProblem: (problem) => this.failed('load session', problem),
    })
    return { due: { ...known, ...read }, readTo, gone }
  }
}
