/** What happened behind the turn: a line, and one more for each item that a review wrote or held; undefined where there is nothing to tell. */
import type { HermesEvent, ReviewOutcome } from '@hermes/core'
import { oneLine } from '../terminal/clean-text.ts'
import { counted } from '../terminal/counted.ts'
import { describeCuratorRun } from './describe-curator-run.ts'
import { describeWait } from './describe-end.ts'
import { describeLearned } from './describe-learned.ts'
import type { ReviewStart } from './review-watch.ts'

export interface EventLine {
  readonly tone: 'quiet' | 'problem'
  readonly text: string
}

const reasons = (items: readonly { readonly reason: string }[]): string =>
  items.length === 0 ? '' : ` (${[...new Set(items.map(({ reason }) => oneLine(reason, 100).replace(/\.$/, '')))].join('; ')})`

const counts = ({ applied, rejected, failed }: ReviewOutcome): string => {
  const refused = rejected.filter(({ held }) => !held)
  const held = rejected.filter((item) => item.held)
  const errors = failed.map(({ error }) => ({ reason: error.message }))
  return [
    `${applied.length} applied`,
    ...(held.length === 0 ? [] : [`${held.length} held for you`]),
    `${refused.length} rejected${reasons(refused)}`,
    `${failed.length} failed${reasons(errors)}`,
  ].join(', ')
}

/** `review after 10 turns and 12 tool steps`. */
const describeReview = (start: ReviewStart | undefined): string => {
  if (start === undefined) return 'review'
  const reasons = [
    ...(start.reviews === 'skills' ? [] : [counted(start.turns, 'turn')]),
    ...(start.reviews === 'memory' ? [] : [counted(start.iterations, 'tool step')]),
  ]
  return `review after ${reasons.join(' and ')}`
}

/** `start`: of the review that just ended; undefined where it was not seen. */
export const describeEvent = (event: HermesEvent, start: ReviewStart | undefined): EventLine | undefined => {
  const review = describeReview(start)
  switch (event.type) {
    case 'session-started':
      if (event.newSession) return undefined
      return {
        tone: 'quiet',
        text: `· resumed: this session keeps the memory it started with (${event.chars.toLocaleString('en-US')} characters)`,
      }
    case 'review-started':
    case 'memory-changed':
      return undefined
    case 'review-finished':
      return { tone: 'quiet', text: [`· ${review}: ${counts(event.outcome)}`, ...describeLearned(event.outcome)].join('\n') }
    case 'review-failed':
      return { tone: 'problem', text: `· ${review} failed: ${oneLine(event.error.message)} (the chat is not affected)` }
    case 'review-stopped':
      return { tone: 'quiet', text: `· ${review} stopped: the next review reads what it was to read` }
    case 'review-waits':
      return { tone: 'quiet', text: describeWait(event.reason) }
    case 'learning-paused':
      return {
        tone: 'problem',
        text: `· ${counted(event.failures, 'review')} failed in a row: none starts by itself until ${new Date(event.until).toTimeString().slice(0, 5)}`,
      }
    case 'turns-dropped':
      return { tone: 'problem', text: `· ${counted(event.turns, 'turn')} went unread: too much was said before a review could read it` }
    case 'host-failed':
      return { tone: 'problem', text: `· wiring problem (${event.operation}): ${oneLine(event.error.message)}` }
    case 'curator-finished':
      return { tone: 'quiet', text: describeCuratorRun(event.outcome).join('\n') }
    case 'curator-failed':
      return { tone: 'problem', text: `· curator failed: ${oneLine(event.error.message)} (the chat is not affected)` }
    case 'rollback-recovered':
      return {
        tone: 'quiet',
        text:
          event.recovery.recovered === 'finished'
            ? `· a rollback of the skills had been interrupted; it is finished now, to the backup ${event.recovery.report.id}`
            : `· a rollback of the skills had been interrupted; it was undone: ${oneLine(event.recovery.because.message)}`,
      }
    case 'wiring-failed':
      return { tone: 'problem', text: `· wiring problem: ${oneLine(event.error.message)}` }
    case 'storage-failed':
      return {
        tone: 'problem',
        text: `· memory problem (${event.operation}): ${oneLine(event.error.message)} The chat goes on without it.`,
      }
  }
}
