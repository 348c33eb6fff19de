/** `hermes worker`: runs the reviews that are due, until it is told to stop. */
import { type Answer, failed, isFailure, usage } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import { openWorkplace } from './workplace.ts'

export const workerCommand = defineCommand({
  describe: 'Run the reviews that are due: those in the homes of a folder, round by round, or those in the queue of your own program.',
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
        describe: 'reviews at once, with --module',
      })
      .option('once', { type: 'boolean', describe: 'stop when nothing is due' }),
  forAll: true,
  // It says itself what is missing, and a module brings its own.
  withoutHome: true,
  run: async ({ user, module, model, concurrency, once = false }, context) => {
    const { world, say, isJson } = context
    if (user !== undefined) return failed(usage('A worker runs the reviews of everybody in the folder: leave out --user.'))
    if (module !== undefined && model !== undefined) return failed(usage("With --module the model is the module's own: leave out --model."))
    const place = await openWorkplace({ module, model }, context)
    if (isFailure(place)) return { failure: place }
    const stop = new AbortController()
    const unlisten = world.onStop(() => {
      say('Stopping: reviews under way may finish …\n')
      stop.abort()
    })
    try {
      if (!once) say(`Working on the reviews of ${cleanText(place.label)}. Ctrl-C stops.\n`)
      const print = (line: string, hasFailed: boolean) => {
        // A failure on stderr, everything else on stdout.
        if (hasFailed) say(`${cleanText(line)}\n`)
        else if (!isJson) world.stdout.write(`${cleanText(line)}\n`)
      }
      const worked = await place.work({ once, concurrency, signal: stop.signal, print })
      if (!worked.ok) return failed(worked.error)
      const { report, summary, failed: failures } = worked.value
      const answer: Answer = { value: report, text: (terminal) => hint(summary, terminal) }
      if (!once || failures === 0) return answer
      const message = `${counted(failures, 'review')} failed; each is tried again later.`
      return { ...answer, failure: { code: 'model', message } }
    } finally {
      unlisten()
      await place.close()
    }
  },
})
