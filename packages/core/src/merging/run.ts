/** What a consolidation has done so far, filled as it runs, so that one that fails half-way can still report. */
import type { ConsolidationStep } from '../curator/consolidation-step.ts'
import type {
  ConsolidationReport,
  ConsolidationStop,
  HeldConsolidation,
  MergedSkill,
  PrunedSkill,
  RecoveredMerge,
  RefusedConsolidation,
} from '../curator/report/consolidation-report.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { MergeDeps } from './apply/archive.ts'
import type { ConsolidationAsker } from './propose/ask.ts'

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

/** Shared by the steps of one consolidation. */
export interface ConsolidationPass extends MergeDeps {
  readonly gate: ReviewGate
  readonly journal: Pick<Journal, 'append'> | undefined
  readonly pending: Pick<Pending, 'hold'> | undefined
  readonly step: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'> | undefined
  readonly dryRun: boolean
  readonly staleAfterDays: number
  readonly signal: AbortSignal | undefined
  readonly asker: ConsolidationAsker
  readonly run: ConsolidationRun
}

export const toConsolidationReport = (
  { asked, unchanged, left, ...run }: ConsolidationRun,
  spent: Pick<ConsolidationReport, 'calls' | 'inputTokens' | 'outputTokens'>,
  dryRun: boolean,
): ConsolidationReport => ({ ...run, clusters: { asked, unchanged, left }, ...spent, dryRun })
