/** The effects of a consolidation, measured, not as the model describes them (reference skills-curator 14). */
import type { HermesError } from '../../shared/hermes-error.ts'

/** `merge`: into an existing skill. `create`: into a new one. `demote`: into a support file of another skill. */
export const CONSOLIDATION_METHODS = ['merge', 'create', 'demote'] as const

export type ConsolidationMethod = (typeof CONSOLIDATION_METHODS)[number]

export interface MergedSkill {
  readonly name: string
  /** The skill that holds the content from now on. */
  readonly into: string
  readonly method: ConsolidationMethod
  /** As given by the model. */
  readonly reason: string
  /** Files of the umbrella with the merged content: SKILL.md, the source text as a reference, copies of support files. */
  readonly files: readonly string[]
  /** The entry below `skills/.archive`, for restoring; `undefined` in a dry run. */
  readonly archivedAs: string | undefined
}

export interface PrunedSkill {
  readonly name: string
  readonly reason: string
  readonly archivedAs: string | undefined
}

/** A request of the model that was refused. */
export interface RefusedConsolidation {
  readonly kind: 'consolidation' | 'pruning' | 'umbrella' | 'answer'
  /** The skills concerned; empty if a whole answer was refused. */
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

/** A change that waits for a person; nothing was written or moved. */
export interface HeldConsolidation {
  readonly names: readonly string[]
  /** `undefined` for a pruning. */
  readonly into: string | undefined
  readonly why: string
  /** Ids in the queue of held proposals; empty without such a queue. */
  readonly pendingIds: readonly string[]
}

/**
 * Why some groups are left for the next run. `steps`, `tokens`, `time`: the budget is used up. `model`: the model failed. `aborted`: the
 * caller aborted.
 */
export type ConsolidationStop = 'steps' | 'tokens' | 'time' | 'model' | 'aborted'

export interface ConsolidationReport {
  /** True: the report says what would be done, and nothing was changed. */
  readonly dryRun: boolean
  readonly consolidated: readonly MergedSkill[]
  readonly pruned: readonly PrunedSkill[]
  /** New umbrellas. */
  readonly created: readonly string[]
  readonly refused: readonly RefusedConsolidation[]
  readonly held: readonly HeldConsolidation[]
  /** `asked`: sent to the model. `unchanged`: same as when last sent, so skipped. `left`: for the next run. */
  readonly clusters: { readonly asked: number; readonly unchanged: number; readonly left: number }
  /** The model's prose, one item for each answer. */
  readonly words: readonly string[]
  /** Number of model calls. Tokens are estimates. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly stopped: ConsolidationStop | undefined
  /** The outcome of an interrupted earlier merge. */
  readonly recovered: RecoveredMerge | undefined
  /** Problems beside it: a journal, record or queue that could not be written; a failed model. */
  readonly problems: readonly HermesError[]
}

export interface RecoveredMerge {
  /** The umbrella's name. */
  readonly into: string
  /**
   * `undone`: the umbrella is as before the merge. `finished`: its sources are archived, except those in `kept`. `left`: the umbrella was
   * edited since, so it and the remaining live skills are not changed.
   */
  readonly outcome: 'undone' | 'finished' | 'left'
  /** Names of skills. */
  readonly archived: readonly string[]
  readonly kept: readonly string[]
  /** Journals that could not be written; the merge is settled all the same. */
  readonly problems: readonly HermesError[]
}

/** The report in an error's details: what was done before the consolidation failed; `undefined` if nothing was. */
export const consolidationOf = ({ details }: HermesError): ConsolidationReport | undefined => {
  const report = details['consolidation']
  const isReport = (value: unknown): value is ConsolidationReport => typeof value === 'object' && value !== null && 'consolidated' in value
  return isReport(report) ? report : undefined
}
