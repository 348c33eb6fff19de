/** `hermes eval`: measures how well a model learns, with scenarios that come with the command. `hermes eval skills` is in skills/. Reads and writes no home. */

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
import type { SkillsEvalArgs } from './skills/eval-skills.ts'

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

interface Args extends SkillsEvalArgs {
  readonly what?: string | undefined
  readonly scenarios?: string | undefined
}

const ONLY_SKILLS = ['families', 'max-tokens', 'markdown', 'yes'] as const

/** An option that the other evaluation has. */
const misplaced = (args: Args): string | undefined => {
  if (args.what === 'skills') return args.scenarios === undefined ? undefined : "--scenarios is for 'hermes eval'. Choose --families."
  const given = ONLY_SKILLS.find((name) => args[name] !== undefined)
  return given && `--${given} is for 'hermes eval skills'.`
}

export const evalCommand = defineCommand<Args>({
  describe:
    'Measure how well a model learns: it reviews scripted conversations, and what memory then holds is checked word by word. With skills: whether learned skills help, in held-out tasks. Uses tokens of your own key.',
  examples: [
    ['hermes eval --scenarios short', 'seven scenarios of short sessions, to begin with'],
    ['hermes eval --model anthropic/claude-haiku-5-5 --runs 3', 'all of them three times: narrower intervals'],
    ['hermes eval --model ollama/qwen3 --json', 'every outcome, for programs'],
    ['hermes eval skills --model scripted', 'how the evaluation of skills works, without a key'],
    ['hermes eval skills --runs 3 --markdown skills.md', 'all families three times; shows the tokens and asks first'],
  ],
  withoutConfig: true,
  forAll: true,
  withoutHome: true,
  options: (parser) =>
    parser
      .positional('what', { choices: ['skills'], describe: 'skills: whether learned skills help; default: what is known of conversations' })
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'the model, such as openai/gpt-6-luna; default: the one that the environment has a key for; skills: also scripted',
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
        describe: 'how often each scenario or family is played',
      })
      .option('families', { type: 'string', requiresArg: true, describe: 'skills: names of families, separated by commas; default: all' })
      .option('max-tokens', {
        coerce: wholeNumber('max-tokens', 1, 1_000_000_000),
        requiresArg: true,
        describe: 'skills: the most that all calls together may use; default: three times the estimate',
      })
      .option('markdown', { type: 'string', requiresArg: true, describe: 'skills: also write the report to this file' })
      .option('price', PRICE_OPTION)
      .option('yes', { alias: 'y', type: 'boolean', describe: 'skills: do not ask' }),
  run: async (args, context) => {
    const problem = misplaced(args)
    if (problem !== undefined) return failed(usage(problem))
    if (args.what === 'skills') return (await import('./skills/eval-skills.ts')).evalSkills(args, context)
    const scenarios = choose(args.scenarios)
    if (isFailure(scenarios)) return failed(scenarios)
    return evaluate({ named: args.model, scenarios, runs: args.runs, price: args.price }, context)
  },
})
