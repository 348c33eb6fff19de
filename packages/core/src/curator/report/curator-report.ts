/** What a curator run changed, and what it skipped and why (seed 000). */
import { byCodeUnit } from '../../storage/document-tree.ts'
import type { SkillState } from '../../usage/usage-record.ts'

export interface SkillTransition {
  readonly name: string
  readonly from: SkillState
  readonly to: SkillState
  /** For people: the activity that the age counts from, and the window. */
  readonly reason: string
  /** The entry below `skills/.archive`, for restoring. */
  readonly archivedAs?: string
}

/**
 * `archived`: already in the archive. `missing`: a record without a skill. `no-record`: granted, but without a usage record. `ambiguous`:
 * several skills share the name and the record. `changed-meanwhile`: used, pinned or moved during the run. `archive-failed`: its folder
 * cannot be moved.
 */
export type SkipReason =
  | 'pinned'
  | 'not-agent-created'
  | 'no-change'
  | 'bundled'
  | 'hub'
  | 'archived'
  | 'missing'
  | 'no-record'
  | 'unreadable'
  | 'ambiguous'
  | 'changed-meanwhile'
  | 'archive-failed'

export interface SkippedSkill {
  readonly name: string
  readonly reason: SkipReason
  /** Additional information, if any. */
  readonly detail?: string
}

export interface CuratorReport {
  /** Epoch milliseconds; all ages refer to this time. */
  readonly checkedAt: number
  readonly finishedAt: number
  /** True: the report says what would be done, and nothing was changed. */
  readonly dryRun: boolean
  /** Sorted by name, like the other lists; only changes that are stored. */
  readonly transitioned: readonly SkillTransition[]
  readonly skipped: readonly SkippedSkill[]
  /** Skills whose folder had been moved to or from the archive while the record was not updated; the records are correct now. */
  readonly repaired: readonly string[]
  /** Warnings about the options, and about skills that a person should look at: restored several times, or sharing a record. */
  readonly warnings: readonly string[]
  /** The caller aborted before the end. */
  readonly aborted: boolean
}

export interface TransitionCounts {
  /** Number of skills judged: managed and not pinned. */
  readonly checked: number
  readonly markedStale: number
  readonly archived: number
  readonly reactivated: number
}

const JUDGED: readonly SkipReason[] = ['no-change', 'changed-meanwhile', 'archive-failed']

export const countTransitions = ({ transitioned, skipped }: Pick<CuratorReport, 'transitioned' | 'skipped'>): TransitionCounts => {
  const to = (state: SkillState): number => transitioned.filter((transition) => transition.to === state).length
  return {
    checked: transitioned.length + skipped.filter(({ reason }) => JUDGED.includes(reason)).length,
    markedStale: to('stale'),
    archived: to('archived'),
    reactivated: to('active'),
  }
}

export const byName = (a: { readonly name: string }, b: { readonly name: string }): number => byCodeUnit(a.name, b.name)
