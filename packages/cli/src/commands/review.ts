/** `hermes review`: reviews all unread turns now instead of waiting until a review is due. */

import type { HermesError, ReviewOutcome, ReviewRun } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import { type Answer, failed, interrupted, isFailure } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { lookAtHome } from '../home-folder.ts'
import { askingAloud, openReviewModel, WAITS } from '../model/review-model.ts'
import { sentence } from '../terminal/clean-text.ts'
import { hint, renderFields } from '../terminal/field-list.ts'
import { counted } from '../terminal/format.ts'
import { untilInterrupted } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { evictedBy, outcomeFields } from './review-text.ts'

type Reviewed = Extract<ReviewRun, { readonly kind: 'reviewed' }>

const BACK_FROM_ARCHIVE = "'hermes memory archived' lists the entries that made room, and 'hermes memory restore' brings them back."

const renderReview = ({ turns, outcome }: Reviewed, label: string, terminal: Terminal): string => {
  const { applied, held, rejected, failed } = outcome
  const evicted = evictedBy(applied)
  const counts = `${applied.length} written, ${held.length} waiting for you, ${rejected.length} rejected, ${failed.length} failed`
  const next = [
    ...(evicted.length > 0 ? [BACK_FROM_ARCHIVE] : []),
    ...(held.length === 0 ? [] : ["'hermes pending' shows what waits for you."]),
  ]
  return `Read ${counted(turns, 'turn')} with ${label}: ${counts}.\n${renderFields(outcomeFields(outcome), terminal)}${next.map((line) => hint(line, terminal)).join('')}`
}

const toOutcome = ({ applied, held, rejected, failed }: ReviewOutcome) => ({
  applied,
  held,
  rejected,
  failed: failed.map(({ proposal, error: { code, message } }) => ({ proposal, error: { code, message } })),
})

const toValue = ({ kind, turns, outcome }: Reviewed) => ({ kind, turns, ...toOutcome(outcome) })

const answer = (run: ReviewRun, minTurns: number, label: string): Answer => {
  switch (run.kind) {
    case 'reviewed':
      return { value: toValue(run), text: (terminal) => renderReview(run, label, terminal) }
    case 'nothing-due': {
      const { unreadTurns } = run
      const verb = unreadTurns === 1 ? 'is' : 'are'
      const why =
        unreadTurns === 0
          ? 'every turn has been read'
          : `${counted(unreadTurns, 'turn')} ${verb} unread, and --min-turns asks for ${minTurns}`
      return { value: run, text: () => `Nothing to review: ${why}.\n` }
    }
    case 'busy':
      return failed({
        code: 'locked',
        message:
          'Another review of this home is running. That review or the next one reads the unread turns. Try again when it has finished.',
      })
    case 'waits':
      return failed({ code: 'waits', message: `The review waits: ${WAITS[run.reason]}. The turns stay unread until then.` })
    case 'stopped':
      return interrupted('Stopped by Ctrl-C. The turns are unread again.')
    default:
      return failed({ code: 'invalid', message: 'A review needs a model.' })
  }
}

const UNREAD = 'The turns stay unread, so that the next review tries again.'

const failureOf = ({ code, message, details }: HermesError, advice: string): Answer =>
  failed({ code, details, message: [sentence(message), ...(code === 'model' ? [advice] : []), UNREAD].join(' ') })

export const reviewCommand = defineCommand({
  describe: 'Review all unread turns of all conversations now, and write what is worth keeping.',
  examples: [
    ['hermes review', 'even if only one turn is unread'],
    ['hermes review --min-turns 3', 'only if at least 3 turns are unread'],
    ['hermes review --home /var/lib/app --user ada --model claude-haiku-5-5', 'for one person on a server'],
  ],
  options: (parser) =>
    parser
      .option('min-turns', {
        coerce: wholeNumber('min-turns', 1, 100_000),
        default: 1,
        requiresArg: true,
        describe: 'minimum number of unread turns',
      })
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'the model; default: curator.review_model in config.yaml, else the one that the environment has a key for',
      }),
  run: async ({ 'min-turns': minTurns, model: named }, context) => {
    const { config } = context
    if (config.ok && toHermesOptions(config.value.config).nudge.memoryInterval === 0) {
      return failed({
        code: 'disabled',
        message: "Reviews of memory are switched off: config.yaml says 'memory.nudge_interval: 0'. Set it to 10, or remove it.",
      })
    }
    // A missing home is not created here.
    if (lookAtHome(context.home) === 'missing') return answer({ kind: 'nothing-due', unreadTurns: 0 }, minTurns, '')
    const reviewer = await openReviewModel(named, context, 'A review needs a model.')
    if (isFailure(reviewer)) return failed(reviewer)
    const { openWithProvider } = await import('../open-hermes.ts')
    return untilInterrupted('Stopping …', context, async ({ signal }) => {
      const hermes = await openWithProvider(context)
      const reviewed = await hermes.review({ minTurns, model: askingAloud(reviewer, 'what is worth keeping', context), signal })
      return reviewed.ok ? answer(reviewed.value, minTurns, reviewer.label) : failureOf(reviewed.error, reviewer.advice)
    })
  },
})
