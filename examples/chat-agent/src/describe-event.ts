/** What happened behind the turn, as lines for the person: the first begins with `·`, later ones are to be indented. */
import type { CuratorRun, HermesEvent } from '@hermes/core'
import { countTransitions } from '@hermes/core/curator'
import type { Notices } from '@hermes/example-chat-parts/terminal'
import { counted, oneLine } from '@hermes/example-chat-parts/text'
import { describeOutcome, describeStart, describeWait, type ReviewStart } from './describe-review.ts'

/** The most skills that are named of a run of the curator; its report has all of them. */
const MAX_NAMED = 8

/** The counts, then each skill that moved, and where it is kept. */
export const describeCuratorRun = ({ report, consolidation, backupId, reportPath, problems }: CuratorRun): readonly string[] => {
  const { checked, markedStale, archived, reactivated } = countTransitions(report)
  const { consolidated = [], held = [] } = consolidation ?? {}
  const maybe = (count: number, what: string): string => (count === 0 ? '' : `, ${count} ${what}`)
  const more = maybe(reactivated, 'active again') + maybe(consolidated.length, 'merged') + maybe(held.length, 'held for you')
  const moved = [
    ...report.transitioned.map(({ name, to, reason }) => oneLine(`${name}: ${to === 'active' ? 'active again' : to}. ${reason}`, 200)),
    ...consolidated.map(({ name, into }) => oneLine(`${name}: merged into ${into}`)),
  ]
  const left = moved.length - MAX_NAMED
  return [
    `· curator: checked ${counted(checked, 'skill')}, ${markedStale} stale, ${archived} archived${more}`,
    ...moved.slice(0, MAX_NAMED),
    ...(left > 0 ? [`and ${left} more${reportPath === undefined ? '' : `: ${reportPath}/REPORT.md`}`] : []),
    ...(moved.length > 0 && backupId !== undefined ? [`nothing is deleted; the backup ${backupId} has it as it was`] : []),
    ...[...report.warnings, ...problems.map(({ message }) => message)].map((warning) => oneLine(warning, 200)),
  ]
}

export interface EventLine {
  readonly tone: 'quiet' | 'problem'
  readonly text: string
}

const quiet = (text: string): EventLine => ({ tone: 'quiet', text })
const problem = (text: string): EventLine => ({ tone: 'problem', text })

/** Messages of a provider may end with or without a full stop. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 5)

/** Undefined if there is nothing to tell. `start`: of the review that just ended; undefined if it was not seen. */
export const describeEvent = (event: HermesEvent, start: ReviewStart | undefined): EventLine | undefined => {
  const error = 'error' in event ? oneLine(event.error.message) : ''
  const review = describeStart(start)
  switch (event.type) {
    case 'review-started':
    case 'memory-changed':
      return undefined
    case 'session-started':
      if (event.newSession) return undefined
      return quiet(`· resumed: this session keeps the memory it started with (${event.chars.toLocaleString('en-US')} characters)`)
    case 'review-finished':
      return quiet(`· ${review}: ${describeOutcome(event.outcome).join('\n')}`)
    case 'review-failed':
      return problem(`· ${review} failed: ${sentence(error)} The chat goes on, and the next review reads the same turns.`)
    case 'review-stopped':
      return quiet(`· ${review} stopped: the next review reads the same turns`)
    case 'review-waits':
      return quiet(describeWait(event.reason))
    case 'learning-paused':
      return problem(`· ${counted(event.failures, 'review')} failed in a row: none starts automatically until ${timeOfDay(event.until)}`)
    case 'turns-dropped':
      return problem(`· ${counted(event.turns, 'turn')} were not reviewed: too much was said before a review could read it`)
    case 'curator-finished':
      return quiet(describeCuratorRun(event.outcome).join('\n'))
    case 'curator-failed':
      return problem(`· curator failed: ${error} (the chat is not affected)`)
    case 'recalled':
      return event.texts === 0 ? undefined : quiet(`· recalled ${counted(event.texts, 'text')}`)
    case 'provider-failed':
      return problem(`· ${event.provider} failed (${event.operation}): ${error} The chat goes on without it.`)
    case 'provider-paused':
      return problem(`· ${event.provider} is not asked until ${timeOfDay(event.until)}`)
    case 'provider-resumed':
      return quiet(`· ${event.provider} answers again`)
    case 'provider-dropped':
      return problem(`· ${counted(event.items, 'turn')} did not reach ${event.provider}`)
    case 'recall-full':
      return problem('· this session has been shown so much of earlier ones that nothing more is recalled in it: /new begins another')
    case 'host-failed':
      return problem(`· wiring problem (${event.operation}): ${error}`)
    case 'wiring-failed':
      return problem(`· wiring problem: ${error}`)
    case 'storage-failed':
      return problem(`· memory problem (${event.operation}): ${error} The chat goes on without it.`)
  }
}

/** What was learned, and what waits, is seen at a glance. */
const toneOf = (line: string): 'green' | 'yellow' | 'dim' => {
  if (/^(?:learned|replaced|improved|added|removed)\b/.test(line)) return 'green'
  return line.startsWith('held: ') ? 'yellow' : 'dim'
}

/** Knows which review is under way in this process, so that a person who waits for one is told. */
export const createReviewWatch = () => {
  let underWay: ReviewStart | undefined
  let waiting: ((start: ReviewStart) => void) | undefined
  return {
    see: (event: HermesEvent): void => {
      if (event.type === 'review-finished' || event.type === 'review-failed' || event.type === 'review-stopped') underWay = undefined
      if (event.type !== 'review-started') return
      underWay = event
      waiting?.(event)
      waiting = undefined
    },
    /** Calls `tell` once: for the review under way, else for the first that starts before the returned function is called. */
    tellNext: (tell: (start: ReviewStart) => void): (() => void) => {
      if (underWay) tell(underWay)
      else waiting = tell
      return () => {
        waiting = undefined
      }
    },
    isReviewing: (): boolean => underWay !== undefined,
  }
}

/** Tells each problem once. A storage that fails does so at every step: its message is told in full once, then only what else it stops. */
export const createEventTeller = (notices: Notices) => {
  const watch = createReviewWatch()
  const underReview = new Map<string, ReviewStart>()
  const told = new Set<string>()
  /** Undefined if it was told before. */
  const withoutRepeats = (event: HermesEvent, text: string): string | undefined => {
    const part = event.type === 'storage-failed' ? event.operation : event.type === 'curator-failed' ? 'curator' : undefined
    const cause = part !== undefined && 'error' in event ? event.error.code : undefined
    const key = cause === undefined ? text : `${cause} ${part}`
    if (told.has(key)) return undefined
    const line = cause !== undefined && told.has(cause) ? `· memory problem (${part}): the same cause` : text
    for (const known of [key, ...(cause === undefined ? [] : [cause])]) told.add(known)
    return line
  }
  const see = (event: HermesEvent): void => {
    watch.see(event)
    if (event.type === 'review-started') underReview.set(event.sessionId, event)
    const line = describeEvent(event, 'sessionId' in event ? underReview.get(event.sessionId ?? '') : undefined)
    const text = line?.tone === 'problem' ? withoutRepeats(event, line.text) : line?.text
    if (line === undefined || text === undefined) return
    notices.tell(text, line.tone === 'problem' ? 'red' : toneOf)
  }
  return { see, tellNext: watch.tellNext, isReviewing: watch.isReviewing }
}

export type EventTeller = ReturnType<typeof createEventTeller>
