/** What a host asks of a run of the curator, what it gets back, and the events of it. */
import type { LearningCost } from '../model/learning-cost.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { ConsolidationReport } from './report/consolidation-report.ts'
import type { CuratorReport } from './report/curator-report.ts'
import type { RollbackRecovery } from './rollback/rollback-recover.ts'
import type { RecoveredRun } from './run-journal/run-journal-recover.ts'
import type { CuratorDue } from './schedule/is-curator-due.ts'
import type { CuratorProgress } from './transitions/apply-transitions.ts'

export interface CuratorRunOptions {
  /** Ends the run between two batches; what was done until then stays done. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
}

export interface RequestedRunOptions extends CuratorRunOptions {
  /** Only reports what would be done, and writes nothing at all. Default false. */
  readonly dryRun?: boolean | undefined
  /** Default `curator.consolidate`. */
  readonly consolidate?: boolean | undefined
}

export interface ScheduledRunOptions extends CuratorRunOptions {
  /** Milliseconds since the host last had something to do. Default: as far as it shows in the home, see `measureIdle`. */
  readonly idleMs?: number | undefined
}

/** A run that came to its end. */
export interface CuratorRun {
  readonly report: CuratorReport
  /** The folder of the report below the home; `undefined` for a dry run, or where it could not be written. */
  readonly reportPath: string | undefined
  readonly backupId: string | undefined
  /** Earlier runs that were interrupted, and what became of each of their transitions. */
  readonly recovered: readonly RecoveredRun[]
  /** What went wrong beside the run itself: a journal, a report or a state that could not be written, a corrupt state kept aside. */
  readonly problems: readonly HermesError[]
  /** What was merged, or in a preview would be; left out where merging was not asked for, or never came to its turn. */
  readonly consolidation?: ConsolidationReport
}

/** A run that comes by itself, or why there was none. */
export interface ScheduledRun extends Partial<CuratorRun> {
  /** Something may have been done, if only in part. */
  readonly ran: boolean
  /** `ran`; why it is not due; `locked`: another run or a rollback is under way; `failed`: see `error`. */
  readonly reason: 'ran' | Extract<CuratorDue, { due: false }>['reason'] | 'locked' | 'failed'
  readonly error?: HermesError
  /** Epoch milliseconds, with `interval`. */
  readonly nextAt?: number
}

/** `scheduled`: it was due; `requested`: a person or the host's code asked for it. */
export type CuratorRunReason = 'scheduled' | 'requested'

export type CuratorEvent =
  /** A preview is no event, and no run that was not due is one. */
  | {
      readonly type: 'curator-finished'
      readonly at: number
      readonly reason: CuratorRunReason
      readonly outcome: CuratorRun
      readonly cost?: LearningCost
    }
  /** `error.details.report`: what was done until then; undefined where nothing was. */
  | {
      readonly type: 'curator-failed'
      readonly at: number
      readonly reason: CuratorRunReason
      readonly error: HermesError
      readonly cost?: LearningCost
    }
  /** A rollback that had been interrupted was brought to its end, before anything else was done to the skills. */
  | { readonly type: 'rollback-recovered'; readonly at: number; readonly recovery: Exclude<RollbackRecovery, { recovered: 'nothing' }> }

/** The curator could not read or write something and went on without it. */
export interface CuratorProblem {
  readonly type: 'storage-failed'
  readonly at: number
  readonly operation: string
  readonly error: HermesError
}
