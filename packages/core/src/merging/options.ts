/** What a consolidation is given: its own model, hard budgets, the gate, and the step of the run it is part of. */
import type { ConsolidationStep } from '../curator/consolidation-step.ts'
import { CONSOLIDATION_METHODS } from '../curator/report/consolidation-report.ts'
import { AGEING_PRESETS } from '../curator/transitions/ageing-options.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { HostModel, HostModelAnswer } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const listOf = (properties: Readonly<Record<string, unknown>>) => ({ type: 'array', items: closed(properties) })

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

const CONSOLIDATION_SCHEMA: Readonly<Record<string, unknown>> = closed({
  summary: text,
  consolidations: listOf({
    from: text,
    into: text,
    method: { type: 'string', enum: CONSOLIDATION_METHODS },
    reason: text,
    score: { type: 'number' },
  }),
  prunings: listOf({ name: text, reason: text, score: { type: 'number' } }),
  umbrellas: listOf({ name: text, category: textOrNull, content: textOrNull, files: listOf({ path: text, content: text }) }),
})

export interface ConsolidationRequest {
  readonly system: string
  readonly user: string
  readonly maxOutputTokens: number
  /** Fires when the budget of time is used up. */
  readonly signal: AbortSignal
}

/** Contract: resolves to what a `HostModel` answers; an error or a rejection ends the pass. Sees nothing of a session, and writes nothing. */
export type ConsolidationProposer = (request: ConsolidationRequest) => Promise<Result<string | HostModelAnswer>>

/** A host's model as the proposer; any that answers reviews will do. */
export const proposeConsolidations =
  (model: HostModel): ConsolidationProposer =>
  async ({ system, user, maxOutputTokens, signal }) => {
    const messages = [{ role: 'user', content: user }] as const
    return ok(await model({ purpose: 'review', mode: 'digest', system, messages, schema: CONSOLIDATION_SCHEMA, maxOutputTokens, signal }))
  }

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

const DEFAULT_CONSOLIDATION_BUDGET: ConsolidationBudget = {
  maxSteps: 8,
  maxInputTokens: 120_000,
  maxOutputTokens: 48_000,
  maxRequestTokens: 32_000,
  maxAnswerTokens: 16_000,
  timeoutMs: 600_000,
}

export interface ConsolidateOptions {
  readonly storage: StorageBackend
  readonly proposer: ConsolidationProposer
  /** Disposes of every text that would be written. What it holds waits in `pending`, and nothing of it is moved. */
  readonly gate: ReviewGate
  /** Default: the machine's time. */
  readonly clock?: Clock | undefined
  readonly journal?: Pick<Journal, 'append'> | undefined
  readonly pending?: Pick<Pending, 'hold'> | undefined
  readonly budget?: Partial<ConsolidationBudget> | undefined
  /** The window after which a skill is stale; a pruning needs another one on top. Default 30. */
  readonly staleAfterDays?: number | undefined
  /** Only tells what would be done. The model is asked all the same; nothing can be written, not even by mistake. */
  readonly dryRun?: boolean | undefined
  /** Ends it between two changes. */
  readonly signal?: AbortSignal | undefined
  /** Called with what the calls of the model cost when they are over, whatever became of them; not called where there was none. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
  /** The run it is a step of: its backup, its journal, its lease. Default: none, for a caller who looks after them. */
  readonly step?: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'> | undefined
}

export interface CheckedConsolidation {
  readonly budget: ConsolidationBudget
  readonly staleAfterDays: number
}

/** `invalid` for a limit that is no positive number: one that is not understood would be none. */
export const checkConsolidation = ({
  budget: given = {},
  staleAfterDays = AGEING_PRESETS.daily.staleAfterDays,
}: ConsolidateOptions): Result<CheckedConsolidation> => {
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const budget: ConsolidationBudget = { ...DEFAULT_CONSOLIDATION_BUDGET, ...known }
  for (const [name, value] of [...Object.entries(budget), ['staleAfterDays', staleAfterDays] as const]) {
    if (typeof value === 'number' && value > 0) continue
    return err(new HermesError('invalid', `'${name}' of the consolidation is a number above 0, but it is ${String(value)}.`))
  }
  return ok({ budget, staleAfterDays })
}
