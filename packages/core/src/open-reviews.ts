/** Puts together the reviews of a home: what is due, what it runs with, and whether a queue finds it. Loaded when a turn is first saved. */

import type { ReviewGate } from './gate/review-gate.ts'
import type { OwnerId } from './homes/owner.ts'
import { createJournal, type Journal } from './journal/journal.ts'
import { createPending } from './journal/pending.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { NudgeIntervals } from './nudge/turn-counts.ts'
import type { ReviewQueue } from './queue/review-queue.ts'
import type { ResolvedHermesOptions } from './resolve-options.ts'
import type { HermesEvent } from './session/hermes-event.ts'
import { type HomeReviews, homeReviews } from './session/home-reviews.ts'
import { type QueuedReviews, queuedReviews } from './session/queued-reviews.ts'
import { type ReviewRunner, reviewRunner } from './session/review-runner.ts'
import type { ReviewStores } from './session/run-review.ts'
import { withinLimit } from './session/within-limit.ts'
import type { Clock } from './shared/clock.ts'
import type { HermesError } from './shared/hermes-error.ts'
import { SkillStore } from './skills/skill-store.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { UsageStore } from './usage/usage-store.ts'

export interface ReviewsDeps extends Pick<ResolvedHermesOptions, 'skills' | 'nudge' | 'review' | 'sessions'> {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly createMemoryStore: (storage: StorageBackend, onFailure: (error: HermesError) => void) => MemoryStore
  readonly intervals: NudgeIntervals
  readonly gate: ReviewGate
  readonly journal: Journal
  /** Undefined for a storage with a single home. */
  readonly owner: OwnerId | undefined
  readonly emit: (event: HermesEvent) => void
  readonly failed: (error: HermesError, operation: string) => void
}

export interface OpenedReviews {
  readonly reviews: HomeReviews
  /** Runs the reviews in this process. */
  readonly local: ReviewRunner
  /** Undefined without a queue. */
  readonly queued: QueuedReviews | undefined
}

export const openReviews = (deps: ReviewsDeps, queue: ReviewQueue | undefined): OpenedReviews => {
  const { storage, clock, createId, intervals, gate, journal, skills, review, emit, failed } = deps
  const { minTurns } = deps.nudge
  const reviews = homeReviews({
    storage,
    clock,
    intervals,
    minTurns,
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
  const queued = queue && queuedReviews({ queue, owner: deps.owner, runner: local, reviews, minTurns, clock, failed })
  return { reviews, local, queued }
}
