/** What a whole run did, its consolidation included. */
import type { ConsolidationReport } from './consolidation-report.ts'
import type { CurateOutcome } from './curate-options.ts'

export interface CuratorRun extends CurateOutcome {
  /** What was merged, or in a preview would be; left out where merging was not asked for, or never came to its turn. */
  readonly consolidation?: ConsolidationReport
}
