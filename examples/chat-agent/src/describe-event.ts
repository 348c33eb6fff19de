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
  return [
    `· curator: checked ${counted(checked, 'skill')}, ${markedStale} stale, ${archived} archived${more}`,
    ...moved.slice(0, MAX_NAMED),
    ...(moved.length > MAX_NAMED
      ? [`and ${moved.length - MAX_NAMED} more${reportPath === undefined ? '' : `: ${reportPath}/REPORT.md`}`]
      : []),
    ...(moved.length > 0 && backupId !== undefined ? [`nothing is deleted; the backup ${backupId} has it as it was`] : []),
    ...[...report.warnings, ...problems.map(({ message }) => message)].map((warning) => oneLine(warning, 200)),
  ]
}

const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 5)

/** Undefined if there is nothing to tell. `start`: of the review that just ended; undefined if it was not seen. */
export const describeEvent = (event: HermesEvent, start: ReviewStart | undefined): string | undefined => {
  const error = 'error' in event ? oneLine(event.error.message) : ''
  const review = describeStart(start)
  switch (event.type) {
    case 'review-started':
    case 'memory-changed':
      return undefined
    case 'session-started':
      return event.newSession
        ? undefined
        : `· resumed: this session keeps the memory it started with (${event.chars.toLocaleString('en-US')} characters)`
    case 'review-finished':
      return `· ${review}: ${describeOutcome(event.outcome).join('\n')}`
    case 'review-failed':
      return `· ${review} failed: ${error.replace(/([^.!?])$/, '$1.')} The chat goes on, and the next review reads the same turns.`
    case 'review-stopped':
      return `· ${review} stopped: the next review reads the same turns`
    case 'review-waits':
      return describeWait(event.reason)
    case 'learning-paused':
      return `· ${counted(event.failures, 'review')} failed in a row: none starts automatically until ${timeOfDay(event.until)}`
    case 'turns-dropped':
      return `· ${counted(event.turns, 'turn')} were not reviewed: too much was said before a review could read it`
    case 'curator-finished':
      return describeCuratorRun(event.outcome).join('\n')
    case 'curator-failed':
      return `· curator failed: ${error} (the chat is not affected)`
    case 'recalled':
      return event.texts === 0 ? undefined : `· recalled ${counted(event.texts, 'text')}`
    case 'skill-failed':
      return event.failing
        ? `· the skill '${event.skill}' failed again after ${counted(event.repairCount, 'repair')}: look at it`
        : undefined
    case 'provider-failed':
      return `· ${event.provider} failed (${event.operation}): ${error} The chat goes on without it.`
    case 'provider-paused':
      return `· ${event.provider} is not asked until ${timeOfDay(event.until)}`
    case 'provider-resumed':
      return `· ${event.provider} answers again`
    case 'provider-dropped':
      return `· ${counted(event.items, 'turn')} did not reach ${event.provider}`
    case 'recall-full':
      return '· this session has been shown so much of earlier ones that nothing more is recalled in it: /new begins another'
    case 'host-failed':
    case 'wiring-failed':
      return `· wiring problem: ${error}`
    case 'storage-failed':
      return `· memory problem (${event.operation}): ${error} The chat goes on without it.`
  }
}

/** What is a problem although nothing failed. */
const LOSSES: ReadonlySet<string> = new Set(['learning-paused', 'turns-dropped', 'provider-dropped', 'recall-full'])

/** What was learned, and what waits, is seen at a glance. */
const toneOf = (line: string): 'green' | 'yellow' | 'dim' =>
  /^(?:learned|replaced|improved|added|removed)\b/.test(line) ? 'green' : line.startsWith('held: ') ? 'yellow' : 'dim'

/**
 * Tells what happens, and knows which review runs in this process. Each problem is told once: a storage that fails does so at every step, so its
 * message is told in full once, then only what else it stops.
 */
export const createEventTeller = (notices: Pick<Notices, 'tell'>) => {
  const told = new Set<string>()
  let running: ReviewStart | undefined
  let onStart: ((start: ReviewStart) => void) | undefined
  const tellProblem = (event: HermesEvent, text: string): void => {
    const part = event.type === 'storage-failed' ? event.operation : event.type === 'curator-failed' ? 'curator' : undefined
    const known = part !== undefined && 'error' in event ? [event.error.code, `· memory problem (${part}): the same cause`] : []
    const line = told.has(known[0] ?? '') ? (known[1] ?? text) : text
    if (!told.has(line)) notices.tell(line, 'red')
    for (const each of [line, ...known]) told.add(each)
  }
  return {
    see: (event: HermesEvent): void => {
      const text = describeEvent(event, running)
      if (text !== undefined && ('error' in event || LOSSES.has(event.type))) tellProblem(event, text)
      else if (text !== undefined) notices.tell(text, toneOf)
      if (event.type === 'review-finished' || event.type === 'review-failed' || event.type === 'review-stopped') running = undefined
      if (event.type !== 'review-started') return
      running = event
      onStart?.(event)
      onStart = undefined
    },
    /** Calls `tell` once: for the review that runs, else for the first that starts before the returned function is called. */
    tellNext: (tell: (start: ReviewStart) => void): (() => void) => {
      if (running) tell(running)
      else onStart = tell
      return () => {
        onStart = undefined
      }
    },
    isReviewing: (): boolean => running !== undefined,
  }
}

export type EventTeller = ReturnType<typeof createEventTeller>
