/** What a consolidation has done so far: filled while it goes on, so that one that fails half-way still tells. */
import type { ConsolidationReport, ConsolidationStop, HeldConsolidation, MergedSkill, PrunedSkill, RecoveredMerge, RefusedConsolidation } from '../curator/report/consolidation-report.ts'
import type { HermesError } from '../shared/hermes-error.ts'

export interface ConsolidationRun {
  readonly consolidated: MergedSkill[]
  readonly pruned: PrunedSkill[]
  readonly created: string[]
  readonly refused: RefusedConsolidation[]
  readonly held: HeldConsolidation[]
  readonly words: string[]
  readonly problems: HermesError[]
  asked: number
  unchanged: number
  left: number
  stopped: ConsolidationStop | undefined
  recovered: RecoveredMerge | undefined
}

export const newConsolidationRun = (): ConsolidationRun => ({
  consolidated: [],
  pruned: [],
  created: [],
  refused: [],
  held: [],
  words: [],
  problems: [],
  asked: 0,
  unchanged: 0,
  left: 0,
  stopped: undefined,
  recovered: undefined,
})

export interface SpentBudget {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export const toConsolidationReport = (
  { asked, unchanged, left, ...run }: ConsolidationRun,
  spent: SpentBudget,
  dryRun: boolean,
): ConsolidationReport => ({ ...run, clusters: { asked, unchanged, left }, ...spent, dryRun })
