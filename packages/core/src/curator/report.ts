/** What a curator run changed, what it skipped and why (seed 000), and how the host is told. */
import type { LearningCost } from '../model/learning-cost.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import type { SkillState } from '../usage/usage-record.ts'
import type { CuratorDue } from './schedule.ts'

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
 * several skills share the name and the record. `archive-failed`: its folder cannot be moved.
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
  /** The caller aborted before the changes, so there are none. */
  readonly aborted: boolean
}

export interface TransitionCounts {
  /** Number of skills judged: managed and not pinned. */
  readonly checked: number
  readonly markedStale: number
  readonly archived: number
  readonly reactivated: number
}

const JUDGED: readonly SkipReason[] = ['no-change', 'archive-failed']

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

/** `merge`: into an existing skill. `create`: into a new one. `demote`: into a support file of another skill. */
export const CONSOLIDATION_METHODS = ['merge', 'create', 'demote'] as const

export type ConsolidationMethod = (typeof CONSOLIDATION_METHODS)[number]

export interface MergedSkill {
  readonly name: string
  /** The skill that holds the content from now on. */
  readonly into: string
  readonly method: ConsolidationMethod
  /** As given by the model. */
  readonly reason: string
  /** Files of the umbrella with the merged content: SKILL.md, the source text as a reference, copies of support files. */
  readonly files: readonly string[]
  /** The entry below `skills/.archive`, for restoring; `undefined` in a dry run. */
  readonly archivedAs: string | undefined
}

export interface PrunedSkill {
  readonly name: string
  readonly reason: string
  readonly archivedAs: string | undefined
}

/** A request of the model that was refused. */
export interface RefusedConsolidation {
  readonly kind: 'consolidation' | 'pruning' | 'umbrella' | 'answer'
  /** The skills concerned; empty if a whole answer was refused. */
  readonly names: readonly string[]
  readonly into: string | undefined
  readonly why: string
}

/** A change that waits for a person; nothing was written or moved. */
export interface HeldConsolidation {
  readonly names: readonly string[]
  /** `undefined` for a pruning. */
  readonly into: string | undefined
  readonly why: string
  /** Ids in the queue of held proposals; empty in a dry run. */
  readonly pendingIds: readonly string[]
}

/**
 * Why some groups are left for the next run. `steps`, `tokens`, `time`: the budget is used up. `model`: the model failed. `aborted`: the
 * caller aborted.
 */
export type ConsolidationStop = 'steps' | 'tokens' | 'time' | 'model' | 'aborted'

export interface ConsolidationReport {
  /** True: the report says what would be done, and nothing was changed. */
  readonly dryRun: boolean
  readonly consolidated: readonly MergedSkill[]
  readonly pruned: readonly PrunedSkill[]
  /** New umbrellas. */
  readonly created: readonly string[]
  readonly refused: readonly RefusedConsolidation[]
  readonly held: readonly HeldConsolidation[]
  /** `asked`: sent to the model. `unchanged`: same as when last sent, so skipped. `left`: for the next run. */
  readonly clusters: { readonly asked: number; readonly unchanged: number; readonly left: number }
  /** The model's prose, one item for each answer. */
  readonly words: readonly string[]
  /** Number of model calls. Tokens are estimates. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly stopped: ConsolidationStop | undefined
  /** Problems beside it: skills that could not be shown, a failed model. */
  readonly problems: readonly HermesError[]
}

interface CuratorRunOptions {
  /** Aborting ends the run before its changes, or between two merges; what is merged then remains merged. */
  readonly signal?: AbortSignal | undefined
}

export interface RequestedRunOptions extends CuratorRunOptions {
  /** Reports what would be done and writes nothing. Default false. */
  readonly dryRun?: boolean | undefined
  /** Default `curator.consolidate`. */
  readonly consolidate?: boolean | undefined
}

export interface ScheduledRunOptions extends CuratorRunOptions {
  /** Milliseconds since the host was last active. Default: see `measureIdle`. */
  readonly idleMs?: number | undefined
}

/** A completed run. */
export interface CuratorRun {
  readonly report: CuratorReport
  /** The folder of the report, relative to the home; `undefined` for a dry run or if it could not be written. */
  readonly reportPath: string | undefined
  readonly backupId: string | undefined
  /** Problems beside the run itself: files that the backup could not hold, a corrupt state that was set aside, merges that failed. */
  readonly problems: readonly HermesError[]
  /** What was merged, or would be in a preview; missing if merging was not requested or not reached. */
  readonly consolidation?: ConsolidationReport
}

/** The result of a check for a scheduled run. */
export interface ScheduledRun extends Partial<CuratorRun> {
  /** True if the run was done. */
  readonly ran: boolean
  /** `ran`; why no run is due; `locked`: others kept changing the library; `failed`: see `error`. Nothing was done then. */
  readonly reason: 'ran' | Extract<CuratorDue, { due: false }>['reason'] | 'locked' | 'failed'
  readonly error?: HermesError
  /** Epoch milliseconds; set with `interval`. */
  readonly nextAt?: number
}

/** `scheduled`: the run was due. `requested`: a person or the host's code started it. */
export type CuratorRunReason = 'scheduled' | 'requested'

export type CuratorEvent =
  /** Previews and checks that find no run due emit no event. */
  | {
      readonly type: 'curator-finished'
      readonly at: number
      readonly reason: CuratorRunReason
      readonly outcome: CuratorRun
      readonly cost?: LearningCost
    }
  /** Nothing was done. */
  | {
      readonly type: 'curator-failed'
      readonly at: number
      readonly reason: CuratorRunReason
      readonly error: HermesError
      readonly cost?: LearningCost
    }

/** Something could not be read or written; the curator continued without it. */
export interface CuratorProblem {
  readonly type: 'storage-failed'
  readonly at: number
  readonly operation: string
  readonly error: HermesError
}
