/** Options of a consolidation: the parts of the home, budgets, and the run it is part of. */
import type { ConsolidationStep, MergingOptions } from '../curator/consolidation-step.ts'

export interface ConsolidationBudget {
  /** Maximum number of model calls; one for each group of skills that may belong together. Default 8. */
  readonly maxSteps: number
  /** Estimated tokens of all requests together. Default 120,000. */
  readonly maxInputTokens: number
  /** Estimated tokens of all answers together. Default 48,000. */
  readonly maxOutputTokens: number
  /** Estimated tokens of one request. Default 32,000. Skills that do not fit in full are not shown, and so not merged. */
  readonly maxRequestTokens: number
  /** Estimated tokens of one answer. Default 16,000. */
  readonly maxAnswerTokens: number
  /** Milliseconds for all calls together. Default 600,000. */
  readonly timeoutMs: number
}

export const DEFAULT_CONSOLIDATION_BUDGET: ConsolidationBudget = {
  maxSteps: 8,
  maxInputTokens: 120_000,
  maxOutputTokens: 48_000,
  maxRequestTokens: 32_000,
  maxAnswerTokens: 16_000,
  timeoutMs: 600_000,
}

export interface ConsolidateOptions extends MergingOptions {
  /** Default: `DEFAULT_CONSOLIDATION_BUDGET`. */
  readonly budget?: Partial<ConsolidationBudget>
  /** Reports what would be done. The model is called, but nothing can be written. */
  readonly dryRun?: boolean
  /** Aborting ends it between two changes. */
  readonly signal?: AbortSignal | undefined
  /** The run it is a step of, with backup, journal and lease. Default: none; the caller provides them. */
  readonly step?: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'>
}
