/** What `hermes.curator` is put together from. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HermesCuratorOptions } from './curator-options.ts'
import type { HostActor } from '../journal/host-writes.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { HostRecorder } from '../journal/record-host-writes.ts'
import type { HermesEvent } from '../session/hermes-event.ts'
import type { Clock } from '../shared/clock.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageStore } from '../usage/usage-store.ts'

export interface HermesCuratorDeps {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly createId: () => string
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly journal: Journal
  readonly pending: Pending
  /** Whose verbs these are, in the journal. */
  readonly actor: HostActor
  /** Writes to the journal; a failure is told and fails nothing. */
  readonly record: HostRecorder['record']
  /** Disposes of what a consolidation would write. */
  readonly gate: ReviewGate
  readonly settings: HermesCuratorOptions
  readonly emit: (event: HermesEvent) => void
  /** The last step of any session in this process. */
  readonly lastStepAt: () => number | undefined
}
