/** Wires the reviews of a home: which is due, what it runs with, how it is cancelled. Contains no logic of its own. */
import type { ForgetDeps } from './erasure/forget.ts'
import type { ReviewGate } from './gate/review-gate.ts'
import type { Hermes } from './hermes.ts'
import type { OwnerId } from './homes/owner.ts'
import { createJournal, type Journal } from './journal/journal.ts'
import { createPending } from './journal/pending.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { NudgeIntervals } from './nudge/decide-review.ts'
import { guardedQueue } from './queue/guarded-queue.ts'
import type { ReviewClaim } from './queue/review-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import type { ResolvedHermesOptions } from './resolve-options.ts'
import { backgroundTasks, resultOf } from './session/background-tasks.ts'
import type { HermesEvent } from './session/hermes-event.ts'
import { homeReviews } from './session/home-reviews.ts'
import { queuedReviews } from './session/queued-reviews.ts'
import { type ReviewRunner, reviewRunner } from './session/review-runner.ts'
import type { ReviewStores } from './session/run-review.ts'
import type { SessionHandles } from './session/session-handles.ts'
import { removeSession } from './session/session-record.ts'
import { withinLimit } from './session/within-limit.ts'
import type { ReviewWork } from './session/work-review.ts'
import type { Clock } from './shared/clock.ts'
import { HermesError } from './shared/hermes-error.ts'
import { withLate } from './shared/load-late.ts'
import { err, ok, type Result } from './shared/result.ts'
import { SkillStore } from './skills/skill-store.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { UsageStore } from './usage/usage-store.ts'

export interface LearningDeps extends Pick<ResolvedHermesOptions, 'skills' | 'nudge' | 'review' | 'sessions' | 'background'> {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly createMemoryStore: (storage: StorageBackend, onFailure: (error: HermesError) => void) => MemoryStore
  readonly intervals: NudgeIntervals
  readonly gate: ReviewGate
  readonly journal: Journal
  /** Resolves when all turns of this process are saved. */
  readonly turnsSettled: () => Promise<void>
  /** Undefined for a storage with a single home. */
  readonly owner: OwnerId | undefined
  readonly emit: (event: HermesEvent) => void
  readonly failed: (error: HermesError, operation: string) => void
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
  const { storage, clock, createId, intervals, gate, journal, skills, review, emit, failed } = deps
  const reviews = homeReviews({
    storage,
    clock,
    intervals,
    minTurns: deps.nudge.minTurns,
    limits: { budget: review.budget, maxTokensPerDay: review.maxTokensPerDay },
    keepText: deps.sessions.keepText,
    onFailure: (operation, error) => failed(error, operation),
  })
  const sharedLimitMs = Math.ceil(deps.sessions.loadTimeoutMs / 4)
  const openStores = (over: StorageBackend): ReviewStores => {
    const store = new SkillStore({ storage: over, clock })
    const usage = new UsageStore({ storage: over, clock, onProblem: (error) => failed(error, 'skill usage') })
    const reader = store.withShared(skills.shared, (work) => withinLimit(work, sharedLimitMs))
    return {
      createMemoryStore: (onFailure) => deps.createMemoryStore(over, onFailure),
      skills: skills.enabled ? { store, reader, usage, storage: over, clock } : undefined,
      journal: createJournal({ storage: over, clock, createId }),
      pending: createPending({ storage: over, clock }),
    }
  }
  const local = reviewRunner({ reviews, storage, openStores, settings: review, gate, journal, clock, emit })
  const queue = review.queue && guardedQueue(review.queue)
  const queued = queue && queuedReviews({ queue, owner: deps.owner, runner: local, reviews, minTurns: deps.nudge.minTurns, clock, failed })
  const runner = queued ?? local
  const stopping = new AbortController()
  const requested = backgroundTasks({ background: deps.background, onCrash: deps.crashed, onBackgroundFailure: deps.crashed })

  const callOff = async () => {
    runner.interrupt()
    const revoked = await reviews.revoke()
    if (!revoked.ok) failed(revoked.error, 'call off review')
  }

  const workOn: Learning['workOn'] = async (claim, signal) =>
    (await import('./session/work-review.ts')).workReview(claim, signal, { runner: local, reviews, clock })

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
      if (queued) await queued.addMissing()
      if (queued || !review.model) return 0
      const found = await reviews.findUnread()
      if (!found.ok) failed(found.error, 'find due reviews')
      const ran = await runner.review({ why: 'turn' }, { signal })
      return ran.ok && ran.value.kind === 'reviewed' ? 1 : 0
    },
    stop() {
      stopping.abort()
      local.stop()
    },
    review: ({ minTurns, model, signal } = {}) =>
      resultOf(requested, async () => {
        if (runner.stopped) return ok({ kind: 'stopped' })
        await deps.turnsSettled()
        const found = await reviews.findUnread()
        if (!found.ok) failed(found.error, 'find unread turns')
        return runner.review({ why: 'request', minTurns }, { ownModel: model, model: runner.newestModel, signal })
      }),
    forgetting: (sessions) => ({
      settled: sessions.settled,
      async forget(id) {
        await callOff()
        await sessions.forget(id)
        const unknown = await reviews.forgetSession(id)
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
