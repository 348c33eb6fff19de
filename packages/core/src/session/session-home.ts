/** A home as its sessions and reviews use it. */

import type { EvaluationSettings } from '../evaluation/skill-evaluator.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HomeIdentity } from '../homes/owner.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { SharedMemory } from '../memory/shared-notes.ts'
import type { AskedReview, LearningLimits } from '../nudge/decide-review.ts'
import type { NudgeIntervals } from '../nudge/nudge-intervals.ts'
import type { ReviewState } from '../nudge/review-state.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import type { WritableSkills } from '../review/apply/disposal-options.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { LastPlan } from '../storage/in-transaction.ts'
import type { Plan, StorageBackend } from '../storage/storage-backend.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { Activity } from './background-tasks.ts'
import type { HermesEvent } from './hermes-event.ts'
import type { RecordRedactor } from './record-redaction.ts'
import type { ReviewOccasion, ReviewRequest, ReviewRun, ReviewSettings } from './review-request.ts'
import type { Session } from './session.ts'
import type { TrustedTool } from './tool-trust.ts'

export interface SessionOptions {
  readonly intervals: NudgeIntervals
  /** Minimum number of unread turns for a review at the end of a session, of an idle home, or on request. */
  readonly minTurns: number
  readonly limits: LearningLimits
  readonly review: ReviewSettings
  /** True: unread text is stored. False: a review reads only what the host shows. */
  readonly keepText: boolean
  /** Days after which an unused session record is removed; 0 = never. */
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  /** Milliseconds that a turn waits for the storage. */
  readonly loadTimeoutMs: number
  /** Maximum UTF-16 characters recalled for a turn; 0 = none. */
  readonly recallChars: number
  readonly trustedTools: readonly TrustedTool[]
  readonly background: ((task: Promise<unknown>) => void) | undefined
}

/** The skills of a home, as a session uses them. */
export interface SessionSkills {
  readonly store: SkillStore
  /** The skills that the agent sees: those of the store, then shared ones. */
  readonly reader: SkillReader
  readonly createUsageStore: (onProblem: (problem: HermesError) => void) => UsageStore
  /** Options of the catalogue in the frozen text. */
  readonly catalog: { readonly charLimit: number; readonly stale: 'mark' | 'hide' }
  /** Undefined if the host has no evaluator. */
  readonly evaluation?: EvaluationSettings | undefined
  /** The storages of shared skills, which `reader` has too. */
  readonly shared: readonly StorageBackend[]
}

/** The stores that a review writes to. */
export interface ReviewStores {
  /** `project`: whose notes its store `project` has. */
  readonly createMemoryStore: (onFailure: (error: HermesError) => void, project: string | undefined) => MemoryStore
  /** Undefined if skills are switched off. */
  readonly skills: Omit<WritableSkills, 'shown' | 'onWritten' | 'loaded'> | undefined
  readonly journal: Journal
  readonly pending: Pending
}

/** What an update of the review state does. `state` undefined: it stays as it is. */
export interface StatePlan<T> extends Omit<Plan<T>, 'move'> {
  readonly state?: ReviewState | undefined
}

/** The reviews of a home, as its sessions use them. */
export interface SessionReviews {
  /** Called once a turn is saved. Resolves to the work that became due, not yet started: a review, or its addition to the queue. */
  turnSaved(asked: AskedReview, occasion: Omit<ReviewOccasion, 'why'>, request: ReviewRequest): Promise<(() => Promise<void>) | undefined>
  /** Reviews unread turns now. An error if the review failed; the failure is also an event and a journal record. */
  review(occasion: ReviewOccasion, request: ReviewRequest): Promise<Result<ReviewRun>>
}

/** A session that its home can drop. */
export interface OwnedSession extends Session {
  /** True if nothing is unsaved and no work is running. */
  readonly idle: boolean
  /** False for a handle to replace: never used and opened without this project, or misplaced. Throws a TypeError if the session is of another project. */
  isOf(project: string | undefined): boolean
  /** Stops saving and reviewing this session. Resolves when no write to its record is running. */
  forget(): Promise<void>
  /** The conversation comes from another session; `tainted`: whether text from outside was in sight there. `project`: of that session. */
  goesOn(tainted: Promise<boolean>, project?: Promise<string | undefined>): void
  /** A review of this session has ended. */
  noteLearned(outcome: ReviewOutcome): void
  /** Removes a text from this process's copy of the session, the frozen block included. */
  redact(redactor: RecordRedactor): Promise<void>
}

export interface SessionHome {
  readonly identity: HomeIdentity
  readonly storage: StorageBackend
  readonly options: SessionOptions
  readonly clock: Clock
  readonly gate: ReviewGate
  readonly journal: Journal
  readonly pending: Pending
  /** Undefined if skills are switched off. */
  readonly skills: SessionSkills | undefined
  /** The notes that a team shares. Undefined: none. */
  readonly sharedMemory?: SharedMemory
  /** Undefined if the home has no memory provider. */
  readonly provider: ProviderConnection | undefined
  /** Once it has fired, no review starts in this process. */
  readonly stopping: AbortSignal
  /** A worker runs the reviews. */
  readonly isQueued: boolean
  /** Undefined if activity is not recorded. */
  readonly activity: Activity | undefined
  /** Loaded at the first call, since no prompt needs their code. */
  reviews(): Promise<Result<SessionReviews>>
  /** Never throws. */
  emit(event: HermesEvent): void
  /** Another session of the home. Throws a TypeError for an invalid id. */
  session(id: string, project: string | undefined): OwnedSession
  /** The memory store of a session, whose writes are the agent's. */
  memoryOf(sessionId: string, onFailure: (error: HermesError) => void, project: string | undefined): MemoryStore
  /** Does work over stores of its own, whose writes are the actor's, and writes in one update what it wrote there; may do the work again. `last`: see `inTransaction`. */
  inOneUpdate<T>(
    actor: 'agent' | 'host' | 'review' | 'curator',
    work: (stores: ReviewStores) => Promise<Result<T>>,
    last?: (done: T) => LastPlan<unknown>,
  ): Promise<Result<T>>
  /** Opens the stores of a review over another storage, such as a transaction. `emit`: gets the events of what they write. */
  reviewStores(storage: StorageBackend, emit: (event: HermesEvent) => void): ReviewStores
}
