/** Questions to a model that together cost at most a number of tokens. */
import type { ModelBudget } from '../model/call-model.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import type { AskModel, SkillQuestion } from '../skills/checks/play-checks.ts'

/** Of the question and the longest answer. */
const tokensOf = ({ system, messages, maxOutputTokens }: SkillQuestion): number =>
  Math.ceil([system, ...messages.map(({ content }) => content)].reduce((sum, text) => sum + countUnits(text), 0) / UNITS_PER_TOKEN) +
  maxOutputTokens

/** A question beyond the limit is not asked: `over_limit`. `option`: what sets the limit. */
export const askWithin = (budget: Pick<ModelBudget, 'call' | 'cost'>, maxTokens: number, option: string): AskModel => {
  let open = 0
  return async (question) => {
    const { inputTokens = 0, outputTokens = 0 } = budget.cost() ?? {}
    const wanted = tokensOf(question)
    if (inputTokens + outputTokens + open + wanted > maxTokens) {
      const message = `The model was not asked further, because all questions together may cost ${maxTokens.toLocaleString('en')} tokens. Raise '${option}'.`
      return err(new HermesError('over_limit', message))
    }
    open += wanted
    try {
      return await budget.call({ purpose: 'review', mode: 'digest', ...question })
    } finally {
      open -= wanted
    }
  }
}
