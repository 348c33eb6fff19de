/** What a curator run did, and what it left alone and why: nothing is hidden (seed 000). */
import { byCodeUnit } from '../../storage/document-tree.ts'
import type { SkillState } from '../../usage/usage-record.ts'

export interface SkillTransition {
  readonly name: string
  readonly from: SkillState
  readonly to: SkillState
  /** In words, for people: which activity it was judged by, and the window. */
  readonly reason: string
  /** The entry below `skills/.archive`, to restore it by. */
  readonly archivedAs?: string
}

/**
 * `archived`: it is in the archive already. `missing`: a record without a skill. `no-record`: handed over, but nothing is known about its
 * use. `ambiguous`: several skills have the name, and one record. `changed-meanwhile`: used, pinned or moved during the run.
 * `archive-failed`: its folder cannot be moved.
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
  /** Where there is more to say. */
  readonly detail?: string
}

export interface CuratorReport {
  /** Epoch milliseconds: every age in it is as of then. */
  readonly checkedAt: number
  readonly finishedAt: number
  /** What would be done; nothing was. */
  readonly dryRun: boolean
  /** In order of name, like the others; only what is durably so. */
  readonly transitioned: readonly SkillTransition[]
  readonly skipped: readonly SkippedSkill[]
  /** Skills whose folders had moved, to the archive or back, without a word in their records: these are right now. */
  readonly repaired: readonly string[]
  /** About the options, and about skills that a person should look at: one that came back again and again, or shares its record. */
  readonly warnings: readonly string[]
  /** The caller asked for the end before all was done. */
  readonly aborted: boolean
}

export interface TransitionCounts {
  /** Managed and not pinned: those a decision was made about. */
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
