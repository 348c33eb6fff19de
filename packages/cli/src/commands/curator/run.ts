/** `hermes curator run`: runs the curator now, whatever the schedule says. */

import type { CuratorRun } from '@hermes/core'
import { type Answer, failed, interrupted, isFailure, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { askingAloud, openReviewModel, type ReviewModel } from '../../model/review-model.ts'
import { sentence } from '../../terminal/clean-text.ts'
import { untilInterrupted } from '../../terminal/progress.ts'
import { curatorSettings, openCurator, warnOf } from './open-curator.ts'
import { renderRun, toRunValue } from './run-view.ts'

interface RunArgs {
  readonly 'dry-run': boolean | undefined
  readonly consolidate: boolean | undefined
  readonly model: string | undefined
}

/** The part of the run that failed while the rest succeeded. */
const failureOf = ({ report, consolidation, problems }: CuratorRun, reviewer: ReviewModel | undefined): Answer => {
  if (report.aborted || consolidation?.stopped === 'aborted')
    return interrupted('Stopped by Ctrl-C. What is listed is done; the next run continues.')
  if (!reviewer) return {}
  const [cause] = [...(consolidation?.problems ?? []), ...problems].toReversed()
  if (consolidation?.stopped === 'model')
    return failed({
      code: 'model',
      message: `${sentence(cause?.message ?? 'The model failed')} ${reviewer.advice} The rest of the run is done.`,
    })
  return consolidation || !cause ? {} : failed({ ...cause, code: cause.code, message: `No skills were merged: ${cause.message}` })
}

const runIt = (args: RunArgs, reviewer: ReviewModel | undefined, context: Context): Promise<Answer> =>
  untilInterrupted('Stopping after this step …', context, async ({ signal }) => {
    const { progress } = context
    progress.show('Looking at the skills …')
    const curator = await openCurator(context, reviewer && askingAloud(reviewer, 'which skills belong together', context))
    const ran = await curator.run({ dryRun: args['dry-run'] ?? false, consolidate: reviewer !== undefined, signal })
    progress.end()
    if (!ran.ok) return failed(ran.error)
    const outcome = ran.value
    const failure = failureOf(outcome, reviewer)
    // The problem that is reported as the error is not repeated as a warning.
    const beside = [...outcome.problems, ...(outcome.consolidation?.problems ?? [])].filter(
      ({ message }) => !failure.failure?.message.includes(message),
    )
    warnOf(beside, context)
    for (const message of outcome.report.warnings) context.warn(message)
    return { value: toRunValue(outcome), text: (terminal) => renderRun(outcome, terminal), ...failure }
  })

const run = async (args: RunArgs, context: Context): Promise<Answer> => {
  const { enabled = true, consolidate: byConfig = false } = curatorSettings(context)
  const isMerging = args.consolidate ?? byConfig
  if (!enabled && !args['dry-run']) {
    return failed({
      code: 'disabled',
      message:
        "The curator is switched off: config.yaml says 'curator.enabled: false'. Set it to true, or use --dry-run to see what a run would do.",
    })
  }
  if (args.model !== undefined && !isMerging) return failed(usage('--model is only for merging: add --consolidate.'))
  const reviewer = isMerging ? await openReviewModel(args.model, context, 'Skills cannot be merged without a model.') : undefined
  if (reviewer && isFailure(reviewer)) {
    if (args.consolidate) return failed(reviewer)
    context.warn(reviewer.message)
  }
  return runIt(args, reviewer && !isFailure(reviewer) ? reviewer : undefined, context)
}

export const runCommand = defineCommand<RunArgs>({
  examples: [
    ['hermes curator run --dry-run', 'what a run would do; writes nothing'],
    ['hermes curator run', 'takes a backup before the first change'],
    ['hermes curator run --consolidate --dry-run', 'asks a model which skills belong together, and writes nothing'],
    ['hermes curator run --consolidate --model claude-haiku-5-5', 'merges them, as far as the gate agrees'],
  ],
  options: (parser) =>
    parser
      .option('dry-run', { alias: 'n', type: 'boolean', describe: 'only show what would be done' })
      .option('consolidate', { alias: 'c', type: 'boolean', describe: 'also merge skills that belong together; asks a model' })
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'the model; default: curator.review_model in config.yaml, else the one that the environment has a key for',
      }),
  run,
})
