/** `hermes eval`: measures how well a model learns, with scenarios that come with the command. Reads and writes no home. */

import { type Answer, type Failure, failed, interrupted, isFailure, usage } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { PRICE_OPTION, type Price } from '../../model/price.ts'
import { sentence } from '../../terminal/clean-text.ts'
import { counted } from '../../terminal/format.ts'
import { untilInterrupted } from '../../terminal/progress.ts'
import { renderEval, toEvalValue } from './eval-view.ts'
import { openEvalModel, runEval } from './run-eval.ts'
import { SCENARIO_KINDS, SCENARIOS, type Scenario } from './scenario.ts'

/** Parses a comma-separated list of scenario names and kinds. Without a list: all scenarios. */
const choose = (names: string | undefined): readonly Scenario[] | Failure => {
  if (names === undefined) return SCENARIOS
  const asked = names.split(',').map((name) => name.trim())
  const isMeant = ({ id, kind }: Scenario, name: string) => id === name || kind === name
  const unknown = asked.filter((name) => !SCENARIOS.some((scenario) => isMeant(scenario, name)))
  if (unknown.length === 0) return SCENARIOS.filter((scenario) => asked.some((name) => isMeant(scenario, name)))
  const ids = SCENARIOS.map(({ id }) => id).join(', ')
  const message = `There is no scenario '${unknown.join("', '")}'. Kinds: ${SCENARIO_KINDS.join(', ')}. Scenarios: ${ids}.`
  return usage(message)
}

interface Evaluation {
  readonly named: string | undefined
  readonly scenarios: readonly Scenario[]
  readonly runs: number
  readonly price: Price | undefined
}

const evaluate = ({ named, scenarios, runs, price }: Evaluation, context: Context): Promise<Answer> =>
  untilInterrupted('Stopping …', context, async (stop) => {
    const { progress } = context
    const model = await openEvalModel(named, context.world, stop.signal)
    if (isFailure(model)) return failed(model)
    progress.show(`Playing ${counted(scenarios.length * runs, 'scenario')} with ${model.label} …`)
    const onProgress = (done: number, total: number) => progress.count(done, total, 'scenarios')
    const { outcomes, modelFailure } = await runEval({ scenarios, runs, model, stop, onProgress })
    progress.end()
    if (modelFailure !== undefined) return failed({ code: 'model', message: `${sentence(modelFailure)} ${model.advice}` })
    const report = { model: model.label, runs, outcomes, use: model.use(), price }
    const [first, ...more] = outcomes.flatMap((outcome) => outcome.failures)
    if (first !== undefined)
      context.warn(
        `${counted(more.length + 1, 'call')} to the model failed, and what they should have done counts as not done. ${sentence(first)}`,
      )
    const stopped = stop.signal.aborted ? interrupted(`Stopped by Ctrl-C after ${counted(outcomes.length, 'scenario')}.`) : {}
    if (stop.signal.aborted && outcomes.length === 0) return stopped
    return { value: toEvalValue(report), text: (terminal) => renderEval(report, terminal), ...stopped }
  })

export const evalCommand = defineCommand({
  describe:
    'Measure how well a model learns: it reviews scripted conversations, and what memory then holds is checked word by word. Uses tokens of your own key.',
  examples: [
    ['hermes eval --scenarios short', 'seven scenarios of short sessions, to begin with'],
    ['hermes eval --model anthropic/claude-haiku-5-5 --runs 3', 'all of them three times: narrower intervals'],
    ['hermes eval --model ollama/qwen3 --json', 'every outcome, for programs'],
  ],
  withoutConfig: true,
  forAll: true,
  withoutHome: true,
  options: (parser) =>
    parser
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'the model, such as openai/gpt-6-luna; default: the one that the environment has a key for',
      })
      .option('scenarios', {
        type: 'string',
        requiresArg: true,
        describe: 'names of scenarios or kinds, separated by commas; default: all',
      })
      .option('runs', {
        coerce: wholeNumber('runs', 1, 100),
        default: 1,
        requiresArg: true,
        describe: 'how often each scenario is played',
      })
      .option('price', PRICE_OPTION),
  run: async ({ model: named, scenarios: names, runs, price }, context) => {
    const scenarios = choose(names)
    if (isFailure(scenarios)) return failed(scenarios)
    return evaluate({ named, scenarios, runs, price }, context)
  },
})
