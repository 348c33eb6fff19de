/** The skills of a home, as a session has them. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import type { SkillStore } from '../skills/skill-store.ts'
import type { SkillState, UsageRecord } from '../usage/usage-record.ts'
import type { UsageStore } from '../usage/usage-store.ts'

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
