/** Dependencies of a session. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HomeIdentity } from '../homes/owner.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { NudgeIntervals } from '../nudge/turn-counts.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
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
import type { OwnedSession } from './session-handles.ts'
import type { TrustedTool } from './trusted-tools.ts'

export interface SessionDeps {
  readonly id: string
  /** The id was created for this session. */
  readonly isNew: boolean
  readonly home: HomeIdentity
  /** Another session of the home. Throws a TypeError for an invalid id. */
  readonly openSession: (id: string) => OwnedSession
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly gate: ReviewGate
  readonly journal: Journal
  readonly pending: Pending
  readonly createMemoryStore: (onFailure: (error: HermesError) => void) => MemoryStore
  /** The reviews of the home. */
  readonly reviews: ReviewRunner
  /** True if learning is limited to a share of the host's own tokens, which then have to be counted. */
  readonly hasBudget: boolean
  readonly trustedTools: readonly TrustedTool[]
  readonly intervals: NudgeIntervals
  /** Undefined if skills are switched off. */
  readonly skills: SessionSkills | undefined
  /** Used if the storage has no record of the session. */
  readonly checkpoint: SessionCheckpoint | undefined
  readonly retainDays: number
  readonly journalRetainDays: number | 'forever'
  readonly keepText: boolean
  /** Milliseconds that a turn waits for the storage. */
  readonly loadTimeoutMs: number
  /** Undefined if the home has no memory provider. */
  readonly provider: ProviderConnection | undefined
  /** Maximum UTF-16 characters recalled for a turn; 0 = none. */
  readonly recallChars: number
  /** Undefined if activity is not recorded. */
  readonly activity: Activity | undefined
  readonly background: ((task: Promise<unknown>) => void) | undefined
  /** Anything that it throws is ignored. */
  readonly onEvent: (event: HermesEvent) => void
}

/** The skills of a home, as a session uses them. */
export interface SessionSkills {
  readonly store: SkillStore
  /** The skills that the agent sees: those of the store, then shared ones. */
  readonly reader: SkillReader
  readonly createUsageStore: (onProblem: (problem: HermesError) => void) => UsageStore
  /** Options of the catalogue in the frozen text. */
  readonly catalog: { readonly charLimit: number; readonly stale: 'mark' | 'hide' }
}

/**
 * The state of a skill whose folder exists: never archived, whatever its record says. A record that still says so is of a restored skill that has not been
 * used since.
 */
export const stateOfPresent = (record: UsageRecord | undefined): Exclude<SkillState, 'archived'> =>
  record === undefined || record.state === 'active' ? 'active' : 'stale'
