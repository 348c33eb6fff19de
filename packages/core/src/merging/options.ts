/** What a consolidation is given: the parts of the home, hard budgets, and the step of the run it is part of. */
import type { ConsolidationStep, MergingOptions } from '../curator/consolidation-step.ts'

export interface ConsolidationBudget {
  /** Calls of the model; one for each group of skills that may belong together. Default 8. */
  readonly maxSteps: number
  /** Estimated tokens of all requests together. Default 120,000. */
  readonly maxInputTokens: number
  /** Of all answers together. Default 48,000. */
  readonly maxOutputTokens: number
  /** Of one request. Default 32,000; what does not fit in full is not shown, and so not merged. */
  readonly maxRequestTokens: number
  /** Of one answer. Default 16,000. */
  readonly maxAnswerTokens: number
  /** For all calls together, in milliseconds. Default 600,000. */
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
  /** Only reports what would be done. The model is asked all the same; nothing can be written, not even by mistake. */
  readonly dryRun?: boolean
  /** Ends it between two changes. */
  readonly signal?: AbortSignal | undefined
  /** The run it is a step of: its backup, its journal, its lease. Default: none, for a caller who looks after them. */
  readonly step?: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'>
}
