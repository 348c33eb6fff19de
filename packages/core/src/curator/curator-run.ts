/** A whole run, its consolidation included, as a host asks for it and hears of it. */

import type { ConsolidationReport } from './report/consolidation-report.ts'
import type { CurateOutcome } from './curate-options.ts'
import type { MaybeRunOutcome } from './schedule/maybe-run-curator.ts'
import type { CuratorProgress } from './transitions/applying.ts'

export interface CuratorRun extends CurateOutcome {
  /** What was merged, or in a preview would be; left out where merging was not asked for, or never came to its turn. */
  readonly consolidation?: ConsolidationReport
}

export interface CuratorRunOptions {
  /** Ends the run between two batches; what was done until then stands. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CuratorProgress) => void) | undefined
}

export interface RequestedRunOptions extends CuratorRunOptions {
  /** Only tells what would be done, and writes nothing at all. Default false. */
  readonly dryRun?: boolean | undefined
  /** Default `curator.consolidate`. */
  readonly consolidate?: boolean | undefined
}

export interface ScheduledRunOptions extends CuratorRunOptions {
  /** Milliseconds since the host last had something to do. Default: as far as it shows in the home, see `measureIdle`. */
  readonly idleMs?: number | undefined
}

export interface ScheduledRun extends MaybeRunOutcome {
  readonly consolidation?: ConsolidationReport
}
