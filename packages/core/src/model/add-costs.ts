/** The sum of what several calls cost. Apart from the readers of usage, which every start loads. Pure. */
import type { LearningCost } from './learning-cost.ts'

/** `undefined` if there was no call. */
export const addCosts = (costs: readonly (LearningCost | undefined)[]): LearningCost | undefined =>
  costs.reduce<LearningCost | undefined>((sum, cost) => {
    if (!sum || !cost) return sum ?? cost
    const model = cost.model ?? sum.model
    return {
      ...(model === undefined ? {} : { model }),
      calls: sum.calls + cost.calls,
      inputTokens: sum.inputTokens + cost.inputTokens,
      cachedInputTokens: sum.cachedInputTokens + cost.cachedInputTokens,
      outputTokens: sum.outputTokens + cost.outputTokens,
      estimated: sum.estimated || cost.estimated,
      durationMs: sum.durationMs + cost.durationMs,
    }
  }, undefined)
