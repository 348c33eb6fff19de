/** What a session is put together from. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HomeIdentity } from '../homes/home-identity.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { NudgeIntervals } from '../nudge/decide-review.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { Activity } from './activity.ts'
import type { HermesEvent } from './hermes-event.ts'
import type { ReviewRunner } from './review-runner.ts'
import type { SessionCheckpoint } from './session.ts'
import type { SessionSkills } from './session-skills.ts'

export interface SessionDeps {
  readonly id: string
  readonly home: HomeIdentity
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly gate: ReviewGate
  readonly journal: Journal
  readonly pending: Pending
  readonly createMemoryStore: (onFailure: (error: HermesError) => void) => MemoryStore
  /** Of the home. */
  readonly reviews: ReviewRunner
  /** Learning may take a part of the host's own tokens, so these are counted. */
  readonly hasBudget: boolean
  readonly trustedTools: ReadonlySet<string>
  readonly intervals: NudgeIntervals
  /** Undefined where they are switched off. */
  readonly skills: SessionSkills | undefined
  /** Stands in for a session record that the storage does not have. */
  readonly checkpoint: SessionCheckpoint | undefined
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  readonly keepText: boolean
  /** How long a turn waits for the storage. */
  readonly loadTimeoutMs: number
  /** Undefined where nobody asks when the agent was used. */
  readonly activity: Activity | undefined
  readonly background: ((task: Promise<unknown>) => void) | undefined
  /** What it throws is ignored. */
  readonly onEvent: (event: HermesEvent) => void
}
