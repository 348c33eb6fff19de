/** `hermes learn`: learns from documents and old conversations, through the same passes and the same gate as a review. Says what it will cost, and asks first. */

import { resolve } from 'node:path'
import type { Hermes } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import type { LearnedSource } from '@hermes/core/review'
import { type Answer, failed, interrupted, isFailure, messageOf, usage } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { isAddress } from '../learn/find-material.ts'
import type { FoundSources, Skipped } from '../learn/learn-source.ts'
import type { Material } from '../learn/run-learn.ts'
import { PRICE_OPTION, type Price } from '../model/price.ts'
import { openReviewModel, type ReviewModel } from '../model/review-model.ts'
import { askFirst } from '../terminal/ask-first.ts'
import { oneLine, sentence } from '../terminal/clean-text.ts'
import { counted } from '../terminal/format.ts'
import { untilInterrupted } from '../terminal/progress.ts'
import { wrapText } from '../terminal/text-width.ts'
import { answerOf, describeEstimate, GOES_ON, MOST_LINES } from './learn-text.ts'

interface Args {
  readonly from?: string | undefined
  readonly sessions?: string | undefined
  readonly model?: string | undefined
  readonly 'max-tokens'?: number | undefined
  readonly price?: Price | undefined
  readonly 'allow-private'?: boolean | undefined
  readonly again?: boolean | undefined
  readonly yes?: boolean | undefined
}

/** A review takes two minutes at most. */
const BUSY_MS = 150_000

const warnOf = (skipped: readonly Skipped[], { warn }: Context): void => {
  for (const { name, why } of skipped.slice(0, MOST_LINES)) warn(`${oneLine(name)}: ${oneLine(sentence(why))}`)
  const more = skipped.length - MOST_LINES
  if (more > 0) warn(`And ${counted(more, 'more file')} with something left out; --json names them all.`)
}

/** All that was read before with the act that was interrupted is continued; else it is a new act, with an undo of its own. */
const chooseId = (
  sources: FoundSources['sources'],
  known: ReadonlyMap<string, LearnedSource>,
  unfinished: string | undefined,
  { world }: Context,
): string => {
  const isContinued = unfinished !== undefined && sources.some(({ digest }) => known.get(digest)?.learnId === unfinished)
  return isContinued ? unfinished : `learn-${world.createId().slice(0, 8)}`
}

interface Learning {
  readonly hermes: Hermes
  readonly reviewer: ReviewModel
  readonly found: FoundSources
  readonly args: Args
}

const learnFrom = async ({ hermes, reviewer, found, args }: Learning, stop: AbortController, context: Context): Promise<Answer> => {
  const { estimateAll, learnAll } = await import('../learn/run-learn.ts')
  const { progress } = context
  const before = await hermes.learn.sources()
  if (!before.ok) return failed(before.error)
  const { sources: known, marks, unfinished } = before.value
  const kind = args.sessions === undefined ? 'documents' : 'sessions'
  const material: Material = { kind, sources: found.sources, known: args.again ? new Map() : known, marks }
  const unit = kind === 'sessions' ? 'turn' : 'part'
  progress.show('Estimating …')
  const turns = found.sources.reduce((sum, source) => sum + source.turns, 0)
  const estimated = await estimateAll(hermes, material, {
    signal: stop.signal,
    onBatch: (done) => progress.count(done, turns, `${unit}s`),
  })
  if (stop.signal.aborted) return interrupted('Stopped. Nothing was learned.')
  if (!estimated.ok) return failed(estimated.error)
  const estimate = estimated.value
  if (estimate.batches === 0) {
    return {
      value: { batches: [], skipped: found.skipped },
      text: () => 'Nothing to learn: all of it was read before. --again reads it again.\n',
    }
  }
  const price = args.price ?? reviewer.price
  context.say(`${wrapText(describeEstimate(estimate, material, { label: reviewer.label, price }), context.terminal.errorColumns)}\n`)
  const refused = await askFirst('Learn from it?', args.yes, context)
  if (refused) return refused
  const learnId = chooseId(found.sources, args.again ? new Map() : known, unfinished, context)
  progress.show(`Learning with ${reviewer.label} …`)
  const report = await learnAll(hermes, material, {
    learnId,
    model: reviewer.model,
    maxTokens: args['max-tokens'],
    busyMs: BUSY_MS,
    signal: stop.signal,
    onBatch: (done) => progress.count(done, estimate.batches, 'batches'),
  })
  return answerOf(report, { learnId, unit, estimate, advice: reviewer.advice, price, skipped: found.skipped })
}

const NEEDS = 'Name what to learn from: hermes learn <file|folder|url>, or hermes learn --sessions <file|folder>.'

const learn = async (args: Args, context: Context): Promise<Answer> => {
  const from = args.sessions ?? args.from
  if (from === undefined || from === '') return failed(usage(NEEDS))
  if (args.from !== undefined && args.sessions !== undefined) return failed(usage(`One at a time. ${NEEDS}`))
  if (args.sessions !== undefined && isAddress(from)) return failed(usage('--sessions takes a file or folder, not a URL.'))
  if (context.config.ok && toHermesOptions(context.config.value.config).nudge.memoryInterval === 0) {
    const message = "Reviews of memory are switched off: config.yaml says 'memory.nudge_interval: 0'. Set it to 10, or remove it."
    return failed({ code: 'disabled', message })
  }
  const reviewer = await openReviewModel(args.model, context, 'Learning needs a model.')
  if (isFailure(reviewer)) return failed(reviewer)
  const [{ openWithProvider }, { findMaterial }] = await Promise.all([import('../open-hermes.ts'), import('../learn/find-material.ts')])
  return untilInterrupted('Stopping after this batch …', context, async (stop) => {
    try {
      const asked = { from: isAddress(from) ? from : resolve(from), sessions: args.sessions !== undefined }
      const found = await findMaterial({ ...asked, allowPrivate: args['allow-private'] === true, signal: stop.signal }, context)
      warnOf(found.skipped, context)
      if (stop.signal.aborted) return interrupted('Stopped. Nothing was learned.')
      // An address is named without what is secret in it.
      const named = isAddress(from) ? (found.skipped[0]?.name ?? from) : from
      if (found.sources.length === 0)
        return failed({ code: 'not_found', message: `There is nothing to learn from in '${named}'.`, details: { skipped: found.skipped } })
      return await learnFrom({ hermes: await openWithProvider(context), reviewer, found, args }, stop, context)
    } catch (cause) {
      return failed({ code: 'unreadable', message: `${sentence(messageOf(cause))} What was learned before stays. ${GOES_ON}` })
    }
  })
}

export const learnCommand = defineCommand<Args>({
  describe:
    'Learn from documents or old conversations, through the same gate as a review. Shows the tokens, and with --price what they cost, and asks first.',
  examples: [
    ['hermes learn ./notes', 'facts from the documents of a folder; they count as data, never as your words'],
    ['hermes learn https://example.com/handbook', 'one page'],
    ['hermes learn --sessions ~/.claude/projects', 'old conversations; also of Codex, the exports of ChatGPT and Claude, JSON Lines'],
    ['hermes learn --sessions old.jsonl --max-tokens 200000 --yes', 'without asking, up to a limit; the same call goes on'],
  ],
  options: (parser) =>
    parser
      .positional('from', { type: 'string', describe: 'a file, a folder or a URL' })
      .option('sessions', { type: 'string', requiresArg: true, describe: 'a file or folder of old conversations' })
      .option('max-tokens', {
        coerce: wholeNumber('max-tokens', 1, 1_000_000_000),
        requiresArg: true,
        describe: 'stop before a batch that would use more than this in all',
      })
      .option('price', PRICE_OPTION)
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'the model; default: curator.review_model in config.yaml, else the one that the environment has a key for',
      })
      .option('again', { type: 'boolean', describe: 'also read what was read before' })
      .option('allow-private', { type: 'boolean', describe: 'also read a URL of this machine or a private network' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run: learn,
})
