/** What a session is put together from. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HomeIdentity } from '../homes/home-identity.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { NudgeIntervals } from '../nudge/decide-review.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { SkillState, UsageRecord } from '../usage/usage-record.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import type { Activity } from './activity.ts'
import type { HermesEvent } from './hermes-event.ts'
import type { ReviewRunner } from './review-runner.ts'
import type { SessionCheckpoint } from './session.ts'

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

// The skills of a home, as a session has them.

export interface SessionSkills {
  readonly store: SkillStore
  /** What the agent sees: those of the store, and shared ones behind them. */
  readonly reader: SkillReader
  readonly createUsageStore: (onProblem: (problem: HermesError) => void) => UsageStore
  /** Of the catalogue in the frozen text. */
  readonly catalog: { readonly charLimit: number; readonly stale: 'mark' | 'hide' }
}

/** A skill whose folder is there is not archived, whatever its record says: somebody brought it back, and it has not been used since. */
export const stateOfPresent = (record: UsageRecord | undefined): Exclude<SkillState, 'archived'> =>
  record === undefined || record.state === 'active' ? 'active' : 'stale'
