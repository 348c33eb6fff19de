/** One question to the model: the skills of a group that fit in full, within the remaining budget. */

import { startModelBudget } from '../../model/call-model.ts'
import type { HostModel } from '../../model/host-model.ts'
import type { LearningCost } from '../../model/learning-cost.ts'
import { estimateTokens } from '../../model/token-estimate.ts'
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import type { Result } from '../../shared/result.ts'
import { CONSOLIDATION_METHODS } from '../report.ts'
import type { MergeableSkill, ShownSkill } from './library.ts'
import { CONSOLIDATION_ROLE, canBeShown, consolidationRequest, describeOther, describeShown } from './prompt.ts'

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

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const listOf = (properties: Readonly<Record<string, unknown>>) => ({ type: 'array', items: closed(properties) })

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

/**
 * JSON schema of the answer, for providers that only answer in JSON: closed objects without optional keys, as strict modes require
 * (reference ecosystem 3).
 */
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

/** Maximum number of other skills that are named as possible umbrellas. */
const MAX_OTHERS = 20

/** Estimated tokens; fewer are not enough for an umbrella. */
const MIN_ANSWER_TOKENS = 1_000

export interface ConsolidationQuestion {
  /** The skills that fit, in the order of the group. */
  readonly shown: readonly ShownSkill[]
  readonly user: string
  readonly inputTokens: number
}

/** The group in full, without skills that are too long; `undefined` if fewer than two are left. */
export const toQuestion = (
  label: string,
  group: readonly ShownSkill[],
  others: readonly MergeableSkill[],
  maxTokens: number,
): ConsolidationQuestion | undefined => {
  const listed = others.slice(0, MAX_OTHERS).map(describeOther)
  const frame = estimateTokens(CONSOLIDATION_ROLE) + estimateTokens(consolidationRequest(label, [], listed))
  let used = frame
  const fitting: { readonly skill: ShownSkill; readonly text: string }[] = []
  for (const skill of group) {
    if (!canBeShown(skill)) continue
    const text = describeShown(skill)
    const tokens = estimateTokens(text) + 1
    if (!(used + tokens <= maxTokens)) continue
    used += tokens
    fitting.push({ skill, text })
  }
  if (fitting.length < 2) return undefined
  const user = consolidationRequest(
    label,
    fitting.map(({ text }) => text),
    listed,
  )
  return { shown: fitting.map(({ skill }) => skill), user, inputTokens: estimateTokens(CONSOLIDATION_ROLE) + estimateTokens(user) }
}

export interface ConsolidationAsker {
  /** Why the next question, of `inputTokens`, may not be asked; `undefined`: it may. */
  whyNot(inputTokens: number): 'steps' | 'tokens' | undefined
  /** Maximum estimated tokens of one request. */
  readonly room: number
  ask(question: ConsolidationQuestion): Promise<Result<string>>
  /** Estimates; the budget is counted in them. */
  spent(): { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number }
  /** Undefined if no question was asked. */
  cost(): LearningCost | undefined
  /** Must be called after the last question. */
  end(): void
}

/** Fails with `timeout` or `model`, as reviews do. Spent tokens count whether or not an answer arrives. */
export const openAsker = (
  model: HostModel,
  budget: ConsolidationBudget,
  signal: AbortSignal | undefined,
  clock: Clock,
): ConsolidationAsker => {
  const spent = { calls: 0, inputTokens: 0, outputTokens: 0 }
  const task = { name: 'consolidation', timeoutOption: 'timeoutMs' }
  const timed = startModelBudget(model, { timeoutMs: budget.timeoutMs, signal, clock, task })
  const answerTokens = (): number => Math.floor(Math.min(budget.maxAnswerTokens, budget.maxOutputTokens - spent.outputTokens))
  return {
    whyNot: (inputTokens) => {
      // Written so that a limit of NaN allows nothing.
      if (!(spent.calls < budget.maxSteps)) return 'steps'
      const isLeft =
        spent.inputTokens + inputTokens <= budget.maxInputTokens && answerTokens() >= Math.min(MIN_ANSWER_TOKENS, budget.maxAnswerTokens)
      return isLeft ? undefined : 'tokens'
    },
    room: Math.min(budget.maxRequestTokens, budget.maxInputTokens),
    ask: async ({ user, inputTokens }) => {
      spent.calls += 1
      spent.inputTokens += inputTokens
      const maxOutputTokens = answerTokens()
      const messages = [{ role: 'user', content: user }] as const
      const answer = await timed.call({
        purpose: 'review',
        mode: 'digest',
        system: CONSOLIDATION_ROLE,
        messages,
        schema: CONSOLIDATION_SCHEMA,
        maxOutputTokens,
      })
      if (answer.ok) spent.outputTokens += estimateTokens(answer.value)
      return answer
    },
    spent: () => ({ ...spent }),
    cost: timed.cost,
    end: () => timed.end(),
  }
}

/** Too long for the question, or with a text that could be mistaken for the prompt around it. */
export const cannotBeShown = (skills: readonly ShownSkill[]): HermesError =>
  new HermesError(
    'over_limit',
    `${skills.map(({ name }) => `'${name}'`).join(', ')} could not be shown to the model in full with the others, so they cannot be merged. Shorten them.`,
    { details: { names: skills.map(({ name }) => name) } },
  )
