/** What happened behind the turn: a line, and one more for each item that a review wrote or held; undefined if there is nothing to tell. */
import type { HermesEvent } from '@hermes/core'
import { describeCuratorRun } from './describe-curator-run.ts'
import { describeOutcome, describeStart, describeWait, type ReviewStart } from './describe-review.ts'
import type { Notices, Terminal } from './terminal/terminal.ts'
import { counted, oneLine, wrapText } from './terminal/text.ts'

export interface EventLine {
  readonly tone: 'quiet' | 'problem'
  readonly text: string
}

const quiet = (text: string): EventLine => ({ tone: 'quiet', text })
const problem = (text: string): EventLine => ({ tone: 'problem', text })

/** `start`: of the review that just ended; undefined if it was not seen. */
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
      return problem(`· ${review} failed: ${error} (the chat is not affected)`)
    case 'review-stopped':
      return quiet(`· ${review} stopped: the next review reads what it was to read`)
    case 'review-waits':
      return quiet(describeWait(event.reason))
    case 'learning-paused': {
      const until = new Date(event.until).toTimeString().slice(0, 5)
      return problem(`· ${counted(event.failures, 'review')} failed in a row: none starts by itself until ${until}`)
    }
    case 'turns-dropped':
      return problem(`· ${counted(event.turns, 'turn')} went unread: too much was said before a review could read it`)
    case 'curator-finished':
      return quiet(describeCuratorRun(event.outcome).join('\n'))
    case 'curator-failed':
      return problem(`· curator failed: ${error} (the chat is not affected)`)
    case 'rollback-recovered': {
      const { recovery } = event
      const how =
        recovery.recovered === 'finished'
          ? `it is finished now, to the backup ${recovery.report.id}`
          : `it was undone: ${oneLine(recovery.because.message)}`
      return quiet(`· a rollback of the skills had been interrupted; ${how}`)
    }
    case 'host-failed':
      return problem(`· wiring problem (${event.operation}): ${error}`)
    case 'wiring-failed':
      return problem(`· wiring problem: ${error}`)
    case 'storage-failed':
      return problem(`· memory problem (${event.operation}): ${error} The chat goes on without it.`)
  }
}

/** A storage that fails does so at every step: its message is told in full once, then only what else it stops, each once. */
const createProblemFilter = (): ((event: HermesEvent, text: string) => string | undefined) => {
  const causes = new Set<string>()
  const told = new Set<string>()
  return (event, text) => {
    const part = event.type === 'storage-failed' ? event.operation : event.type === 'curator-failed' ? 'curator' : undefined
    const code = part === undefined || !('error' in event) ? undefined : event.error.code
    const known = code !== undefined && causes.has(code)
    if (code !== undefined) causes.add(code)
    const key = code === undefined ? text : `${code} ${part}`
    if (told.has(key)) return undefined
    told.add(key)
    return known ? `· memory problem (${part}): the same cause` : text
  }
}

/** Tells what happens behind the turn, each problem once. */
export const createEventTeller = (terminal: Terminal, notices: Notices): ((event: HermesEvent) => void) => {
  const underReview = new Map<string, ReviewStart>()
  const filterProblem = createProblemFilter()
  return (event) => {
    if (event.type === 'review-started') underReview.set(event.sessionId, event)
    const line = describeEvent(event, 'sessionId' in event ? underReview.get(event.sessionId ?? '') : undefined)
    const text = line?.tone === 'problem' ? filterProblem(event, line.text) : line?.text
    if (line === undefined || text === undefined) return
    notices.tell(terminal.paint[line.tone === 'problem' ? 'red' : 'dim'](wrapText(text, terminal.columns, '  ')))
  }
}
