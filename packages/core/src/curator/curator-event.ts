/** Options, results and events of a curator run. */
import type { LearningCost } from '../model/learning-cost.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { ConsolidationReport } from './report/consolidation-report.ts'
import type { CuratorReport } from './report/curator-report.ts'
import type { RollbackRecovery } from './rollback/rollback-recover.ts'
import type { RecoveredRun } from './run-journal/run-journal-recover.ts'
import type { CuratorDue } from './schedule/is-curator-due.ts'
import type { CuratorProgress } from './transitions/apply-transitions.ts'

export interface CuratorRunOptions {
  /** Aborting ends the run between two batches; changes made until then remain. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
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
  /** Interrupted earlier runs, with the outcome of each of their transitions. */
  readonly recovered: readonly RecoveredRun[]
  /** Problems beside the run itself: a journal, report or state that could not be written, a corrupt state that was set aside. */
  readonly problems: readonly HermesError[]
  /** What was merged, or would be in a preview; missing if merging was not requested or not reached. */
  readonly consolidation?: ConsolidationReport
}

/** The result of a check for a scheduled run. */
export interface ScheduledRun extends Partial<CuratorRun> {
  /** True if anything may have been done, even in part. */
  readonly ran: boolean
  /** `ran`; why no run is due; `locked`: another run or a rollback is in progress; `failed`: see `error`. */
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
  /** `error.details.report`: what was done until then; undefined if nothing was. */
  | {
      readonly type: 'curator-failed'
      readonly at: number
      readonly reason: CuratorRunReason
      readonly error: HermesError
      readonly cost?: LearningCost
    }
  /** An interrupted rollback was completed before any other change to the skills. */
  | { readonly type: 'rollback-recovered'; readonly at: number; readonly recovery: Exclude<RollbackRecovery, { recovered: 'nothing' }> }

/** Something could not be read or written; the curator continued without it. */
export interface CuratorProblem {
  readonly type: 'storage-failed'
  readonly at: number
  readonly operation: string
  readonly error: HermesError
}
