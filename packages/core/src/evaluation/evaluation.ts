/** Binds the host's evaluator to its limits and a model; its code is loaded when a skill is first evaluated. */
import type { EvaluateSkill, EvaluationMeans, EvaluationSettings } from './skill-evaluator.ts'

/** Undefined if the host has no evaluator. */
export const evaluationBy = (settings: EvaluationSettings | undefined, means: EvaluationMeans): EvaluateSkill | undefined =>
  settings &&
  (async (proposal, change, store, origin) => {
    const { evaluateSkill } = await import('./evaluate-skill.ts')
    return evaluateSkill(proposal, change, store, settings, { ...means, origin })
  })
