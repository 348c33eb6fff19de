/** What a whole curator run is given, and what it answers. */
import type { Journal } from '../journal/journal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { CuratorReport } from './report/curator-report.ts'
import type { RunJsonExtras } from './report/write-report.ts'
import type { RecoveredRun } from './run-journal/run-journal-recover.ts'
import type { CuratorState } from './schedule/curator-state-document.ts'
import type { CuratorPlan } from './transitions/plan-transitions.ts'
import type { RunCuratorOptions } from './transitions/run-curator.ts'

/** What a consolidation leaves in the report. */
export interface ConsolidationNote {
  /** A section of REPORT.md, beginning with its heading. */
  readonly text: string
  /** Appended to the one-line summary. */
  readonly summary: string
  /** For run.json. */
  readonly extras: RunJsonExtras
  /** What ended it early; the rest of the note tells what was done until then. */
  readonly failure?: HermesError | undefined
}

/** Contract: the step calls `beforeChanges` before its first change, and `renew` before each; an error of either ends it. */
export interface ConsolidationStep {
  readonly storage: StorageBackend
  readonly signal: AbortSignal | undefined
  /** For `addToRun`. */
  readonly runId: string
  /** Keeps the run's place; `locked` where it took so long that another run has taken over. */
  readonly renew: () => Promise<Result<unknown>>
  /** Takes the backup and begins the journal of the run, unless the transitions did. */
  readonly beforeChanges: () => Promise<Result<unknown>>
}

export interface CurateOptions extends Omit<RunCuratorOptions, 'beforeChanges' | 'keepPlace'> {
  /**
   * The backup: called once, before the first change of the run, and not at all where nothing changes. `plan` is `undefined` where a
   * consolidation changes first. Its failure ends the run with nothing done; its id goes into the report.
   */
  readonly beforeChanges?: ((plan: CuratorPlan | undefined) => Promise<Result<{ readonly id: string } | undefined>>) | undefined
  /** Merges skills once the transitions are done. Default: nothing is merged. */
  readonly consolidate?: ((step: ConsolidationStep) => Promise<Result<ConsolidationNote>>) | undefined
  /** Hears of every transition. Default: none. */
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** Unique to each run, such as a random UUID: up to 100 letters, digits, `.`, `_` and `-`. */
  readonly createId: () => string
  /** Milliseconds for which a crashed run keeps others away, and after which it may be tried again. Default an hour. */
  readonly leaseMs?: number | undefined
  /** Asked about the state in the very update that stamps the run; `false` ends it with nothing done. Pure. */
  readonly mayStart?: ((state: CuratorState) => boolean) | undefined
}

export interface CurateOutcome {
  readonly report: CuratorReport
  /** The folder of the report below the home; `undefined` for a dry run, or where it could not be written. */
  readonly reportPath: string | undefined
  readonly backupId: string | undefined
  /** Earlier runs that were interrupted, and what became of each of their transitions. */
  readonly recovered: readonly RecoveredRun[]
  /** What went wrong beside the run itself: a journal, a report or a state that could not be written, a corrupt state kept aside. */
  readonly problems: readonly HermesError[]
}

/** `started: false`: `mayStart` said no. */
export type CurateResult = { readonly started: false } | ({ readonly started: true } & CurateOutcome)
