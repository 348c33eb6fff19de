/** `hermes worker`: runs the reviews that a queue has due, until it is told to stop. */
import type { WorkedReview, WorkReport } from '@hermes/core/queue'
import { type Answer, EXIT, failed } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand, type GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { counted } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { describeWork } from './describe-work.ts'
import { isFailure, openWorkplace } from './workplace.ts'

interface WorkerArgs {
  readonly model: string | undefined
  readonly module: string | undefined
  readonly concurrency: number
  readonly once: boolean | undefined
}

const summary = ({ reviewed, nothingDue, postponed, failed: failures }: WorkReport): string =>
  `${counted(reviewed, 'review')} done, ${postponed} postponed, ${failures} failed, ${nothingDue} without anything left to read.`

/** One line for each review: a failure on stderr, everything else on stdout. */
const tellReview = (review: WorkedReview, { world, say, isJson }: Context): void => {
  const line = `${cleanText(describeWork(review))}\n`
  if (review.outcome.kind === 'failed') say(line)
  else if (!isJson) world.stdout.write(line)
}

const run = async ({ user, module, model, concurrency, once = false }: WorkerArgs & GlobalArgs, context: Context): Promise<Answer> => {
  const { world, say } = context
  if (user !== undefined)
    return failed({
      code: 'usage',
      message: 'A worker runs the reviews of everybody in the folder: leave out --user.',
      exitCode: EXIT.usage,
    })
  if (module !== undefined && model !== undefined)
    return failed({ code: 'usage', message: "With --module the model is the module's own: leave out --model.", exitCode: EXIT.usage })
  const place = await openWorkplace({ module, model }, context)
  if (isFailure(place)) return { failure: place }
  const stop = new AbortController()
  const unlisten = world.onStop(() => {
    say('Stopping: reviews under way may finish …\n')
    stop.abort()
  })
  try {
    if (!once) say(`Working on the reviews of ${cleanText(place.label)}. Ctrl-C stops.\n`)
    const onReview = (review: WorkedReview) => tellReview(review, context)
    const worked = await place.work({ once, concurrency, signal: stop.signal, onReview })
    if (!worked.ok) return failed(worked.error)
    const report = worked.value
    const answer: Answer = { value: report, text: (terminal) => hint(summary(report), terminal) }
    if (!once || report.failed === 0) return answer
    const message = `${counted(report.failed, 'review')} failed; each is tried again when its pause is over.`
    return { ...answer, failure: { code: 'model', message } }
  } finally {
    unlisten()
    await place.close()
  }
}

export const workerCommand = defineCommand<WorkerArgs>({
  usage: 'worker',
  describe: 'Run the reviews that became due in other processes, from the queue of a folder or of your own program.',
  examples: [
    ['hermes worker --home /var/lib/app --model claude-haiku-5-5', 'until it is stopped'],
    ['hermes worker --once', 'what is due now, for cron'],
    ['hermes worker --module ./homes.mjs', "your program's own homes: export { homes }"],
  ],
  options: (parser) =>
    parser
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: "which model; else config.yaml's curator.review_model, else what the environment has a key for",
      })
      .option('module', { type: 'string', requiresArg: true, describe: "a file that exports 'homes' or 'hermes', with their own options" })
      .option('concurrency', {
        coerce: wholeNumber('concurrency', 1, 100),
        default: 4,
        requiresArg: true,
        describe: 'reviews at once',
      })
      .option('once', { type: 'boolean', describe: 'stop when nothing is due' }),
  forAll: true,
  // It says itself what is missing, and a module brings its own.
  withoutHome: true,
  isServer: true,
  run,
})
