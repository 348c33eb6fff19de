/** The skills of one home, with their usage and their storage. */
import type { Clock } from '../shared/clock.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { UsageStore } from '../usage/usage-store.ts'

export interface SkillHome {
  /** Holds the skills, and the marks of bundled, hub and granted ones. */
  readonly storage: StorageBackend
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly clock: Clock
}
