/** Plays the scenarios with the scripted reviewer. */
import { judgeScenario, type ScenarioOutcome } from '../../packages/cli/src/commands/eval/outcomes.ts'
import { type Assistant, playScenario } from '../../packages/cli/src/commands/eval/play-scenario.ts'
import type { Scenario } from '../../packages/cli/src/commands/eval/scenario.ts'
import { scriptedReviewer } from './scripted-reviewer.ts'

/** A host model that answers with its system prompt. */
const reciting: Assistant = async (system) => system

export const measure = async (scenarios: readonly Scenario[]): Promise<readonly ScenarioOutcome[]> => {
  const outcomes: ScenarioOutcome[] = []
  for (const scenario of scenarios) {
    outcomes.push(judgeScenario(scenario, await playScenario(scenario, { model: scriptedReviewer, assistant: reciting })))
  }
  return outcomes
}
