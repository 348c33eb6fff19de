/** Where a worker works: the homes of a folder, or what a module of the host exports. */

import { setTimeout } from 'node:timers/promises'
import { type Hermes, type HermesEvent, type HermesHomes, ok, type Result } from '@hermes/core'
import type { WorkedReview, WorkOutcome } from '@hermes/core/queue'
import { type Failure, isFailure } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { holdsOwners, holdsSessions, lookAtHome } from '../../home-folder.ts'
import { openReviewModel, type ReviewModel, WAITS } from '../../model/review-model.ts'
import { loadConfiguredProvider, openHomes } from '../../open-hermes.ts'
import { counted } from '../../terminal/format.ts'
import { loadHostModule } from '../host-module.ts'

const REASONS = {
  active: 'the home is not idle yet',
  busy: 'another review of the home is running',
  stopped: 'stopped',
  ...WAITS,
} as const

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19).concat('Z')

type Reviewed = Extract<WorkOutcome, { readonly kind: 'reviewed' }>['outcome']

const describeReviewed = ({ applied, held, rejected }: Reviewed): string =>
  `${applied.length} written, ${held.length} waiting, ${rejected.length} rejected`

const describeOutcome = (outcome: WorkOutcome): string => {
  switch (outcome.kind) {
    case 'reviewed':
      return `read ${counted(outcome.turns, 'turn')}: ${describeReviewed(outcome.outcome)}`
    case 'postponed':
      return `postponed until ${timeOf(outcome.until)}: ${REASONS[outcome.reason]}`
    case 'failed':
      return `failed, again at ${timeOf(outcome.until)}: ${outcome.error.message}`
    case 'erased':
      return 'the owner has no home any more'
    default:
      return 'nothing left to read'
  }
}

const nameOf = (owner: WorkedReview['owner']): string =>
  owner === undefined ? 'home' : owner.tenant === undefined ? owner.user : `${owner.tenant}/${owner.user}`

const tokensOf = (cost: WorkedReview['cost']): string =>
  cost === undefined ? '' : ` (${counted(cost.inputTokens + cost.outputTokens, 'token')})`

/** Owner, kind, outcome, tokens. */
const describeWork = ({ owner, kind, outcome, cost }: WorkedReview): string =>
  `${nameOf(owner)} · ${kind} · ${describeOutcome(outcome)}${tokensOf(cost)}`

/** The same of a review that upkeep ran; undefined for any other event. */
const describeReview = (event: HermesEvent): string | undefined => {
  if (event.type === 'review-finished') return `${nameOf(event.owner)} · ${describeReviewed(event.outcome)}${tokensOf(event.cost)}`
  return event.type === 'review-failed' ? `${nameOf(event.owner)} · failed: ${event.error.message}${tokensOf(event.cost)}` : undefined
}

/** Milliseconds between two rounds over the homes of a folder, and between two looks into one without homes. */
const ROUND_MS = 60_000
const LOOK_MS = 2_000
/** Milliseconds for the reviews under way after a signal. */
const STOP_WITHIN_MS = 8_000
/** Homes after which a signal is looked at. */
const HOMES_AT_ONCE = 20

interface WorkRequest {
  readonly once: boolean
  /** Reviews at once; only of a module. */
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Called with a line about each review. */
  readonly print: (line: string, failed: boolean) => void
}

interface WorkedAll {
  /** For JSON. */
  readonly report: object
  readonly failed: number
  readonly summary: string
}

interface Workplace {
  /** Shown to a person. */
  readonly label: string
  work(request: WorkRequest): Promise<Result<WorkedAll>>
  close(): Promise<void>
}

const openModule = async (path: string, { world }: Context): Promise<Workplace | Failure> => {
  const worker = await loadHostModule<Pick<Hermes | HermesHomes, 'work' | 'close'>>(path, ['work', 'close'])
  if (isFailure(worker)) return worker
  return {
    label: path,
    async work({ once, concurrency, signal, print }) {
      const worked = await worker.work({
        once,
        concurrency,
        signal,
        onReview: (review) => print(describeWork(review), review.outcome.kind === 'failed'),
      })
      if (!worked.ok) return worked
      const { reviewed, postponed, failed, nothingDue } = worked.value
      const summary = `${counted(reviewed, 'review')} done, ${postponed} postponed, ${failed} failed, ${nothingDue} without anything left to read.`
      return ok({ report: worked.value, failed, summary })
    },
    async close() {
      await worker.close()
      world.endSoon()
    },
  }
}

/** Fires some seconds after the other signal, so that reviews under way may finish. */
const cancelAfter = (signal: AbortSignal): AbortSignal => {
  const cancelling = new AbortController()
  signal.addEventListener('abort', () => void setTimeout(STOP_WITHIN_MS, undefined, { ref: false }).then(() => cancelling.abort()), {
    once: true,
  })
  return cancelling.signal
}

/** Goes round the homes of a folder, which need no queue: each home knows what is due. */
const openFolder = async ({ model, label }: ReviewModel, context: Context): Promise<Workplace> => {
  const { home, warn } = context
  let print: WorkRequest['print'] = () => {}
  const report = { homes: 0, reviews: 0, curatorRuns: 0, failed: 0 }
  const homes = openHomes(context, {
    provider: await loadConfiguredProvider(context),
    reviewer: model,
    onEvent: (event) => {
      if (event.type === 'review-failed') report.failed++
      const line = describeReview(event)
      if (line !== undefined) print(line, event.type === 'review-failed')
    },
  })

  const round = async (stop: AbortSignal, cancel: AbortSignal): Promise<Result<void>> => {
    for (let isFinished = false; !isFinished && !stop.aborted; ) {
      const done = await homes.upkeep({ maxHomes: HOMES_AT_ONCE, signal: cancel })
      if (!done.ok) return done
      report.homes += done.value.homes
      report.reviews += done.value.reviews
      report.curatorRuns += done.value.curatorRuns
      isFinished = done.value.roundFinished
    }
    return ok(undefined)
  }

  return {
    label: `'${home}' with ${label}`,
    async work({ once, signal, ...request }) {
      print = request.print
      const cancel = cancelAfter(signal)
      do {
        const done = await round(signal, cancel)
        if (!done.ok && once) return done
        if (!done.ok) warn(done.error.message)
        if (!once) await setTimeout(report.homes === 0 ? LOOK_MS : ROUND_MS, undefined, { signal }).catch(() => undefined)
      } while (!once && !signal.aborted)
      const { reviews, curatorRuns, failed } = report
      const summary = `${counted(reviews, 'review')} done, ${failed} failed, ${counted(curatorRuns, 'curator run')}.`
      return ok({ report, failed, summary })
    },
    close: () => homes.settled(),
  }
}

/** `module`: the path of a module that exports `homes` or `hermes`; otherwise the folder of the command. */
export const openWorkplace = async (
  { module, model }: { readonly module: string | undefined; readonly model: string | undefined },
  context: Context,
): Promise<Workplace | Failure> => {
  if (module !== undefined) return openModule(module, context)
  const { home } = context
  if (lookAtHome(home) !== 'there') return { code: 'not_found', message: `There is no Hermes home at '${home}'. Name one with --home.` }
  if (!holdsOwners(home) && holdsSessions(home)) {
    const message = `'${home}' is the home of one person, whose reviews run behind the turns. Run 'hermes review' to read its unread turns now.`
    return { code: 'invalid', message }
  }
  const reviewer = await openReviewModel(model, context, 'A worker needs a model.')
  return isFailure(reviewer) ? reviewer : openFolder(reviewer, context)
}
