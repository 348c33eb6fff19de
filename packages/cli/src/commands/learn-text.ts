/** What `hermes learn` says: what it will cost, and what became of it. Pure. */
import { type Answer, interrupted } from '../answer.ts'
import type { Skipped } from '../learn/learn-source.ts'
import type { Estimate, LearnRunReport, Material } from '../learn/run-learn.ts'
import { describeDollars, describePrice, dollarsOf, type Price } from '../model/price.ts'
import type { ReviewModel } from '../model/review-model.ts'
import { sentence } from '../terminal/clean-text.ts'
import { hint, renderFields } from '../terminal/field-list.ts'
import { counted, formatCount } from '../terminal/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { joinedOutcome, outcomeFields } from './review-text.ts'

/** Lines of a list that a person still reads. */
export const MOST_LINES = 20

const NO_PRICE = 'With --price <input>/<output>, in dollars per million tokens, such as 3/15, it also says what that costs.'

/** What it will take, before the question. */
export const describeEstimate = (
  estimate: Estimate,
  material: Material,
  { label, price }: Pick<ReviewModel, 'label' | 'price'>,
): string => {
  const { batches, turns, inputTokens, outputTokens } = estimate
  const what = material.kind === 'sessions' ? counted(turns, 'turn') : counted(turns, 'part')
  const read = material.sources.filter(({ digest, turns: all }) => (material.known.get(digest)?.turns ?? 0) >= all).length
  const from = counted(material.sources.length - read, material.kind === 'sessions' ? 'conversation' : 'document')
  const before = read > 0 ? ` ${formatCount(read)} more ${read === 1 ? 'was' : 'were'} read before.` : ''
  const tokens = `about ${formatCount(inputTokens)} tokens in and ${formatCount(outputTokens)} out`
  const cost = price ? `, ${describeDollars(estimate, price)} at ${describePrice(price)}` : ''
  const advice = price ? '' : ` ${NO_PRICE}`
  return `${what} of ${from}, in ${counted(batches, 'batch', 'batches')} for ${label}: ${tokens}${cost}.${before}${advice}`
}

interface About {
  readonly learnId: string
  /** What was counted. */
  readonly unit: string
  readonly estimate: Estimate
  readonly advice: string
  readonly price: Price | undefined
  readonly skipped: readonly Skipped[]
}

const renderReport = (
  report: LearnRunReport,
  { learnId, unit, price }: Pick<About, 'learnId' | 'unit' | 'price'>,
  terminal: Terminal,
): string => {
  const outcome = joinedOutcome(report.batches.map((batch) => batch.outcome))
  const { applied, held, rejected, failed: unwritten } = outcome
  const turns = report.batches.reduce((sum, batch) => sum + batch.turns, 0)
  const { inputTokens, outputTokens } = report.cost
  const fields = outcomeFields(outcome)
  const shown = renderFields(fields.slice(0, MOST_LINES), terminal)
  const hints = [
    ...(fields.length > MOST_LINES ? [`And ${formatCount(fields.length - MOST_LINES)} more: 'hermes journal list' shows them all.`] : []),
    ...(held.length > 0 ? ["'hermes pending' shows what waits for you."] : []),
    ...(applied.length > 0 ? [`'hermes undo ${learnId}' takes all of it back, also later; 'hermes undo' does so now.`] : []),
  ]
  const counts = `${formatCount(applied.length)} learned, ${formatCount(held.length)} waiting for you, ${formatCount(rejected.length)} refused, ${formatCount(unwritten.length)} failed`
  const cost = `${formatCount(inputTokens)} tokens in and ${formatCount(outputTokens)} out${price ? `, ${describeDollars(report.cost, price)}` : ''}`
  return `Read ${counted(turns, unit)} in ${counted(report.batches.length, 'batch', 'batches')}: ${counts}. Used ${cost}.\n${shown}${hints.map((line) => hint(line, terminal)).join('')}`
}

export const GOES_ON = 'The same command goes on where it stopped.'

const failureOf = ({ stopped, failure }: LearnRunReport, advice: string): Answer['failure'] | undefined => {
  if (stopped === 'interrupted') return interrupted(`Stopped by Ctrl-C after the batch. ${GOES_ON}`).failure
  if (stopped === 'busy')
    return { code: 'locked', message: `Another review of this home is running, or another 'hermes learn'. ${GOES_ON}` }
  if (!failure) return undefined
  const { code, message, details } = failure
  return { code, details, message: [sentence(message), ...(code === 'model' ? [advice] : []), GOES_ON].join(' ') }
}

const withDollars = <T extends LearnRunReport['cost']>(cost: T, price: Price | undefined) =>
  price ? { ...cost, dollars: dollarsOf(cost, price) } : cost

export const answerOf = (report: LearnRunReport, { learnId, unit, estimate, advice, price, skipped }: About): Answer => {
  const left = estimate.batches - report.batches.length
  const { applied, held, rejected, failed: unwritten } = joinedOutcome(report.batches.map((batch) => batch.outcome))
  const batches = report.batches.map(({ turns, outcome }) => ({
    turns,
    learned: outcome.applied.length,
    held: outcome.held.length,
    rejected: outcome.rejected.length,
    failed: outcome.failed.length,
  }))
  const failure = failureOf(report, advice)
  const rest =
    report.stopped === 'max-tokens' ? `Stopped at --max-tokens: ${counted(left, 'batch is', 'batches are')} left. ${GOES_ON}` : undefined
  return {
    value: {
      learnId,
      ...{ estimate: withDollars(estimate, price), used: withDollars(report.cost, price), batches, left, skipped },
      ...{ learned: applied.length, held: held.length, rejected: rejected.length, failed: unwritten.length },
    },
    text: (terminal) => renderReport(report, { learnId, unit, price }, terminal) + (rest === undefined ? '' : hint(rest, terminal)),
    ...(failure ? { failure } : {}),
  }
}
