/** What a home needs although nobody talks to it: a review that is due, old records cleared away, and the curator where it is due. */
import type { ScheduledRun } from '../curator/curator-event.ts'
import type { HomeReviews } from './home-reviews.ts'
import type { ReviewRunner } from './review-runner.ts'
import { pruneOldSessions, type TidyHomeOptions, tidyOldJournal } from './tidy-home.ts'

export interface TendHomeOptions extends TidyHomeOptions {
  readonly reviews: Pick<HomeReviews, 'findUnread'>
  readonly runner: Pick<ReviewRunner, 'review'>
  /** Is there a model for reviews? That of the host comes with its turns only. */
  readonly hasModel: boolean
  /** Undefined where the curator is switched off. */
  readonly maybeRun: (() => Promise<ScheduledRun>) | undefined
  /** No further step begins once it fires. */
  readonly signal: AbortSignal
}

export interface TendedHome {
  /** 1 where a review was due and read something, however many followed each other. */
  readonly reviews: number
  readonly curator: ScheduledRun | undefined
}

/** One that is due by count, or because nobody has said anything for a while. How it ends is an event. */
const reviewWhatIsDue = async ({ reviews, runner, signal, onFailure }: TendHomeOptions): Promise<number> => {
  const found = await reviews.findUnread()
  if (!found.ok) onFailure('find due reviews', found.error)
  const ran = await runner.review({ why: 'turn' }, { signal })
  return ran.ok && ran.value.kind === 'reviewed' ? 1 : 0
}

export const tendHome = async (options: TendHomeOptions): Promise<TendedHome> => {
  const { hasModel, maybeRun, signal } = options
  const reviews = hasModel && !signal.aborted ? await reviewWhatIsDue(options) : 0
  if (!signal.aborted) await pruneOldSessions(options)
  if (!signal.aborted) await tidyOldJournal(options)
  return { reviews, curator: signal.aborted ? undefined : await maybeRun?.() }
}
