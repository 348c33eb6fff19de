/** What a consolidation did: facts, never what the model said it would do (reference skills-curator 14). */
import type { HermesError } from '../../shared/hermes-error.ts'

/** `merge`: into a skill that was there. `create`: into a new one. `demote`: to a support file of another. */
export const CONSOLIDATION_METHODS = ['merge', 'create', 'demote'] as const

export type ConsolidationMethod = (typeof CONSOLIDATION_METHODS)[number]

export interface MergedSkill {
  readonly name: string
  /** The skill that holds its content from now on. */
  readonly into: string
  readonly method: ConsolidationMethod
  /** The model's. */
  readonly reason: string
  /** Files of the umbrella that hold what it had: SKILL.md where the text was merged, its own text as a reference, copies of its support files. */
  readonly files: readonly string[]
  /** The entry below `skills/.archive`, to restore it by; `undefined` in a dry run. */
  readonly archivedAs: string | undefined
}

export interface PrunedSkill {
  readonly name: string
  readonly reason: string
  readonly archivedAs: string | undefined
}

/** What the model asked for and did not get. */
export interface RefusedConsolidation {
  readonly kind: 'consolidation' | 'pruning' | 'umbrella' | 'answer'
  /** The skills concerned; empty for an answer as a whole. */
  readonly names: readonly string[]
  readonly into: string | undefined
  readonly why: string
}

export const refusal = (
  kind: RefusedConsolidation['kind'],
  names: readonly string[],
  into: string | undefined,
  why: string,
): RefusedConsolidation => ({ kind, names, into, why })

/** What waits for a person; nothing of it was written or moved. */
export interface HeldConsolidation {
  readonly names: readonly string[]
  /** `undefined` for a pruning. */
  readonly into: string | undefined
  readonly why: string
  /** Of the queue of held proposals; empty where there is none. */
  readonly pendingIds: readonly string[]
}

/**
 * Why some groups wait for the next run. `steps`, `tokens`, `time`: the budget is used up. `model`: it failed. `aborted`: the caller asked for
 * the end.
 */
export type ConsolidationStop = 'steps' | 'tokens' | 'time' | 'model' | 'aborted'

export interface ConsolidationReport {
  /** What would be done; nothing was. */
  readonly dryRun: boolean
  readonly consolidated: readonly MergedSkill[]
  readonly pruned: readonly PrunedSkill[]
  /** Umbrellas that are new. */
  readonly created: readonly string[]
  readonly refused: readonly RefusedConsolidation[]
  readonly held: readonly HeldConsolidation[]
  /** `asked`: the model was. `unchanged`: since it was last asked, so it was not. `left`: for the next run. */
  readonly clusters: { readonly asked: number; readonly unchanged: number; readonly left: number }
  /** The model's prose, one for each answer. */
  readonly words: readonly string[]
  /** Calls of the model; tokens are estimates. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly stopped: ConsolidationStop | undefined
  /** An earlier merge that was interrupted, and what became of it. */
  readonly recovered: RecoveredMerge | undefined
  /** What went wrong beside it: a journal, a record, a queue that could not be written; a model that failed. */
  readonly problems: readonly HermesError[]
}

export interface RecoveredMerge {
  /** The umbrella's name. */
  readonly into: string
  /**
   * `undone`: the umbrella is as it was before. `finished`: its skills are in the archive, but for those in `kept`. `left`: somebody has changed the
   * umbrella since, so it stays as it is, and so do the skills that were still alive.
   */
  readonly outcome: 'undone' | 'finished' | 'left'
  /** Names. */
  readonly archived: readonly string[]
  readonly kept: readonly string[]
  /** The journal could not be written; what was settled is settled. */
  readonly problems: readonly HermesError[]
}

/** What was done before a consolidation failed; `undefined` for an error from before it did anything. */
export const consolidationOf = ({ details }: HermesError): ConsolidationReport | undefined => {
  const report = details['consolidation']
  const isReport = (value: unknown): value is ConsolidationReport => typeof value === 'object' && value !== null && 'consolidated' in value
  return isReport(report) ? report : undefined
}
