/** `hermes eval skills`: measures whether learned skills help, with families of recurring tasks that come with the command. Reads and writes no home. */
import { rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FAMILIES, type SkillFamily } from '../../../../../../benchmarks/skills/families.ts'
import { type Answer, type Failure, failed, interrupted, isFailure, messageOf, usage } from '../../../answer.ts'
import type { Context } from '../../../context.ts'
import type { ProviderModel } from '../../../model/choose-model.ts'
import { describeDollars, describePrice, type Price } from '../../../model/price.ts'
import { askFirst } from '../../../terminal/ask-first.ts'
import { sentence } from '../../../terminal/clean-text.ts'
import { counted, formatCount } from '../../../terminal/format.ts'
import { untilInterrupted } from '../../../terminal/progress.ts'
import { wrapText } from '../../../terminal/text-width.ts'
import { type Estimates, estimateFamilies, runSkillsEval } from './run-skills-eval.ts'
import { scriptedModel } from './scripted-model.ts'
import { renderSkillsEval, type SkillsEvalReport, skillsEvalMarkdown, toSkillsEvalValue } from './skills-eval-view.ts'

export interface SkillsEvalArgs {
  readonly model?: string | undefined
  readonly families?: string | undefined
  readonly runs: number
  readonly 'max-tokens'?: number | undefined
  readonly markdown?: string | undefined
  readonly price?: Price | undefined
  readonly yes?: boolean | undefined
}

const SCRIPTED = 'scripted'

/** Parses a comma-separated list of names. Without a list: all families. */
const chooseFamilies = (names: string | undefined): readonly SkillFamily[] | Failure => {
  if (names === undefined) return FAMILIES
  const asked = names.split(',').map((name) => name.trim())
  const unknown = asked.filter((name) => !FAMILIES.some((family) => family.name === name))
  if (unknown.length === 0) return FAMILIES.filter(({ name }) => asked.includes(name))
  return usage(`There is no family '${unknown.join("', '")}'. Families: ${FAMILIES.map(({ name }) => name).join(', ')}.`)
}

interface Chosen {
  readonly model: ProviderModel
  readonly label: string
  readonly advice: string
  readonly isScripted: boolean
}

const openModel = async (named: string | undefined, { world }: Context): Promise<Chosen | Failure> => {
  if (named === SCRIPTED) return { model: scriptedModel(), label: 'the scripted model', advice: '', isScripted: true }
  const { chooseModel } = await import('../../../model/choose-model.ts')
  const chosen = await chooseModel(world.env, { modelName: named })
  if (!('problem' in chosen)) return { ...chosen, isScripted: false }
  return {
    code: 'invalid',
    message: `The evaluation needs a model of your own. ${chosen.problem} '--model ${SCRIPTED}' shows how it works without one.`,
  }
}

/** A model that thinks costs more than the estimate; what a person agreed to is not exceeded by more. */
const MOST_TIMES_ESTIMATE = 3

type Estimate = SkillsEvalReport['estimate']

const totalOf = (estimates: Estimates, runs: number): Estimate => {
  const total = (key: keyof Estimate) => runs * [...estimates.values()].reduce((sum, meter) => sum + meter[key], 0)
  return { calls: total('calls'), inputTokens: total('inputTokens'), outputTokens: total('outputTokens') }
}

/** Says what it will cost. `most`: the most tokens that it may use. */
const announce = (
  families: readonly SkillFamily[],
  runs: number,
  estimate: Estimate,
  most: number,
  { label, price }: { readonly label: string; readonly price: Price | undefined },
  { say, terminal }: Context,
): void => {
  const { calls, inputTokens, outputTokens } = estimate
  const tasks = runs * families.reduce((sum, { heldOut }) => sum + heldOut.length, 0)
  const what = `${counted(families.length, 'family', 'families')}, ${counted(runs, 'run')}: ${counted(tasks, 'held-out task')} without skills, with learned and with curated ones`
  const cost = `about ${formatCount(inputTokens)} tokens in and ${formatCount(outputTokens)} out, ${formatCount(calls)} calls${price ? `, ${describeDollars(estimate, price)} at ${describePrice(price)}` : ''}`
  const limit = `A model that thinks before it answers uses more; it ends at ${formatCount(most)} tokens (--max-tokens).`
  say(`${wrapText(`${what}, for ${label}: ${cost}. ${limit}`, terminal.errorColumns)}\n`)
}

/** Made before tokens are spent, so that the report has a place. */
const reserve = async (path: string): Promise<Failure | undefined> => {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    return isThere
      ? { code: 'occupied', message: `'${path}' exists already. Name another file.` }
      : { code: 'io', message: `'${path}' cannot be written: ${sentence(messageOf(cause))}` }
  }
}

const failureOf = ({ stopped, outcomes, total }: SkillsEvalReport): Answer => {
  const done = `${formatCount(outcomes.length)} of ${counted(total, 'family', 'families')}`
  if (stopped === 'interrupted')
    return interrupted(`Stopped by Ctrl-C after ${done}. What was finished counts; a family that was under way does not.`)
  if (stopped === 'max-tokens')
    return failed({
      code: 'over_limit',
      message: `Stopped after ${done}, since more would exceed --max-tokens. Raise it to play the rest.`,
    })
  return {}
}

const whyNoReview = (outcomes: SkillsEvalReport['outcomes']): string => {
  if (outcomes.every(({ training }) => training.corrections === 0))
    return 'The model needed no correction, so nothing was learned: these families are too easy for it.'
  return outcomes.some(({ training }) => training.failures.length > 0)
    ? 'All reviews failed, so nothing was learned.'
    : 'No review was due, so nothing was learned: the model called no tool, and skills are learned from work with tools.'
}

const answerOf = (report: SkillsEvalReport, advice: string, { warn }: Context): Answer => {
  const { outcomes, failures } = report
  const [first, ...more] = failures
  if (first && outcomes.length === 0) return failed({ code: 'model', message: `${sentence(first.message)} ${advice}`.trim() })
  if (first) {
    const left = counted(more.length + 1, 'family was', 'families were')
    warn(`${left} left out because the model failed: ${sentence(`${first.family}: ${first.message}`)}`)
  }
  const ended = failureOf(report)
  if (outcomes.length === 0) return ended
  if (outcomes.every(({ training }) => training.reviews === 0)) warn(whyNoReview(outcomes))
  return { value: toSkillsEvalValue(report), text: (terminal) => renderSkillsEval(report, terminal), ...ended }
}

export const evalSkills = async (args: SkillsEvalArgs, context: Context): Promise<Answer> => {
  const { runs, markdown } = args
  const families = chooseFamilies(args.families)
  if (isFailure(families)) return failed(families)
  const chosen = await openModel(args.model, context)
  if (isFailure(chosen)) return failed(chosen)
  const { model, label, advice, isScripted } = chosen
  return untilInterrupted('Stopping …', context, async (stop) => {
    const { progress } = context
    progress.show('Estimating …')
    const estimates = await estimateFamilies(families, stop.signal)
    if (stop.signal.aborted) return interrupted('Stopped. Nothing was played.')
    const estimate = totalOf(estimates, runs)
    const maxTokens = args['max-tokens'] ?? MOST_TIMES_ESTIMATE * (estimate.inputTokens + estimate.outputTokens)
    announce(families, runs, estimate, maxTokens, { label, price: args.price }, context)
    const refused = isScripted ? undefined : await askFirst('Play them?', args.yes, context)
    if (refused) return refused
    const path = markdown === undefined ? undefined : resolve(markdown)
    const occupied = path === undefined ? undefined : await reserve(path)
    if (occupied) return failed(occupied)
    progress.show(`Playing with ${label} …`)
    const onProgress = (done: number, total: number) => progress.count(done, total, 'families')
    const evaluated = await runSkillsEval({ families, runs, model, estimates, maxTokens, stop, onProgress })
    progress.end()
    const report: SkillsEvalReport = { ...evaluated, model: label, isScripted, runs, estimate }
    if (path !== undefined)
      await (report.outcomes.length === 0 ? rm(path, { force: true }) : writeFile(path, skillsEvalMarkdown(report, context.clock())))
    return answerOf(report, advice, context)
  })
}
