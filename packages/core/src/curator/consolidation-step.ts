/** The port between a curator run and `merging/`, which is imported only when a run merges. */
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

/**
 * The curator run that a consolidation is part of. Contract: call `beforeChanges` before the first change and `renew` before each; an
 * error of either ends the step.
 */
export interface ConsolidationStep {
  readonly storage: StorageBackend
  readonly signal: AbortSignal | undefined
  /** Id of the run, for `addToRun`. */
  readonly runId: string
  /** Renews the run's lease; `locked` if it has expired and another run holds it. */
  readonly renew: () => Promise<Result<unknown>>
  /** Takes the backup and opens the run's journal, unless the transitions have done so. */
  readonly beforeChanges: () => Promise<Result<unknown>>
}

/** What a consolidation adds to the report of the run. */
export interface ConsolidationNote {
  /** A section of REPORT.md, beginning with its heading. */
  readonly text: string
  /** Appended to the one-line summary of the run. */
  readonly summary: string
  /** For run.json. */
  readonly extras: RunJsonExtras
  /** For the host; `undefined` if there was nothing to merge. */
  readonly report?: ConsolidationReport | undefined
  /** The error that ended it early; the other fields describe what was done until then. */
  readonly failure?: HermesError | undefined
}

/** Runs after the transitions; `undefined`: there was nothing to do. */
export type Consolidate = (step: ConsolidationStep) => Promise<Result<ConsolidationNote | undefined>>

export interface MergingOptions {
  readonly storage: StorageBackend
  /** Proposes merges. An error ends the pass. */
  readonly model: HostModel
  /** Approves, holds or rejects each text to be written. Held texts wait in `pending`, and their skills are not moved. */
  readonly gate: ReviewGate
  readonly clock: Clock
  readonly journal?: Pick<Journal, 'append'>
  readonly pending?: Pick<Pending, 'hold'>
  /** Days after which a skill is stale; a skill may be pruned after twice as long. Default 30. */
  readonly staleAfterDays?: number | undefined
  /** Called once with the cost of all model calls, whether they succeeded or not; not called if there were none. */
  readonly onCost?: (cost: LearningCost) => void
}

/** The operations of `merging/` that runs use. */
export interface Merging {
  readonly consolidate: (options: MergingOptions) => Consolidate
  /** Settles an interrupted merge; merges nothing new. */
  readonly settle: (options: Pick<MergingOptions, 'storage' | 'clock'>) => Consolidate
  /** Calls the model and writes nothing. */
  readonly preview: (options: MergingOptions, signal: AbortSignal | undefined) => Promise<Result<ConsolidationReport>>
}
