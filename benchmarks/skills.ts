/**
 * The families of `hermes eval skills`, played with the scripted model, which follows every rule that it is shown. So this measures the loop (correction, review, gate,
 * catalogue, loading), not a model; the command plays them with a real one.
 */
import { startMeter } from '../packages/cli/src/commands/eval/skills/agent.ts'
import { type FamilyOutcome, playFamily } from '../packages/cli/src/commands/eval/skills/play-family.ts'
import { scriptedModel } from '../packages/cli/src/commands/eval/skills/scripted-model.ts'
import { compareArms, summariseArms } from '../packages/cli/src/commands/eval/skills/summarise-arms.ts'
import { type Part, percent, table } from './report.ts'
import { FAMILIES } from './skills/families.ts'

const arms: Part = async () => {
  const outcomes: FamilyOutcome[] = []
  for (const family of FAMILIES) {
    const limit = { meter: startMeter(), maxTokens: Number.POSITIVE_INFINITY }
    outcomes.push(await playFamily(family, { model: scriptedModel(), limit, signal: new AbortController().signal }))
  }
  const rows = summariseArms(outcomes).map(({ arm, passed, hits, tasks, loaded, tokensPerTask }) => [
    arm,
    percent(passed),
    `${hits} of ${tasks}`,
    percent(loaded),
    Math.round(tokensPerTask),
  ])
  const isLearned = compareArms(outcomes).every(({ arm, over, difference }) => difference === (over === 'none' && arm !== 'none' ? 1 : 0))
  return { blocks: [table(['skills', 'passed', 'held-out tasks', 'loaded', 'tokens a task'], rows)], outcomes, held: isLearned }
}

export const parts = { arms }
