/** The port between a run of the curator and `merging/`, which is loaded when a run merges. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { ConsolidationReport } from './report/consolidation-report.ts'
import type { RunJsonExtras } from './report/write-report.ts'

/** The run that a consolidation is a step of. Contract: call `beforeChanges` before the first change and `renew` before each; an error of either ends the step. */
export interface ConsolidationStep {
  readonly storage: StorageBackend
  readonly signal: AbortSignal | undefined
  /** For `addToRun`. */
  readonly runId: string
  /** Keeps the run's lease; `locked` where it took so long that another run has taken over. */
  readonly renew: () => Promise<Result<unknown>>
  /** Takes the backup and begins the journal of the run, unless the transitions did. */
  readonly beforeChanges: () => Promise<Result<unknown>>
}

/** What a consolidation leaves in the report of the run. */
export interface ConsolidationNote {
  /** A section of REPORT.md, beginning with its heading. */
  readonly text: string
  /** Appended to the one-line summary. */
  readonly summary: string
  /** For run.json. */
  readonly extras: RunJsonExtras
  /** For the host. Undefined where nothing was to be merged. */
  readonly report?: ConsolidationReport | undefined
  /** What ended it early; the rest of the note says what was done until then. */
  readonly failure?: HermesError | undefined
}

/** Runs once the transitions are done; `undefined`: there was nothing to do. */
export type Consolidate = (step: ConsolidationStep) => Promise<Result<ConsolidationNote | undefined>>

export interface MergingOptions {
  readonly storage: StorageBackend
  /** Proposes. An error ends the pass. */
  readonly model: HostModel
  /** Decides about every text that would be written. What it holds waits in `pending`, and nothing of it is moved. */
  readonly gate: ReviewGate
  /** Default: the machine's time. */
  readonly clock?: Clock
  readonly journal?: Pick<Journal, 'append'>
  readonly pending?: Pick<Pending, 'hold'>
  /** The window after which a skill is stale; a pruning needs another one on top. Default 30. */
  readonly staleAfterDays?: number | undefined
  /** Called with what the calls of the model cost when they are over, whatever became of them; not called where there was none. */
  readonly onCost?: (cost: LearningCost) => void
}

/** What `merging/` offers to runs. */
export interface Merging {
  /** Merges skills. */
  readonly consolidate: (options: MergingOptions) => Consolidate
  /** Settles a merge that was interrupted, and merges nothing. */
  readonly settle: (options: Pick<MergingOptions, 'storage' | 'clock'>) => Consolidate
  /** Asks the model and writes nothing. */
  readonly preview: (options: MergingOptions, signal: AbortSignal | undefined) => Promise<Result<ConsolidationReport>>
}
