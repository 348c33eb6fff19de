/** Tells what happens behind the turn, each problem once. */
import type { HermesEvent } from '@hermes/core'
import { describeEvent } from '../agent/describe-event.ts'
import type { ReviewStart } from '../agent/review-watch.ts'
import type { Notices } from './notices.ts'
import type { Terminal } from './terminal.ts'
import { wrapText } from './word-wrap.ts'

/** A storage that fails does so at every step: its message is told in full once, then only what else it stops, each once. */
const createProblemFilter = (): ((event: HermesEvent, text: string) => string | undefined) => {
  const causes = new Set<string>()
  const told = new Set<string>()
  return (event, text) => {
    const part = event.type === 'storage-failed' ? event.operation : event.type === 'curator-failed' ? 'curator' : undefined
    const code = part === undefined || !('error' in event) ? undefined : event.error.code
    const known = code !== undefined && causes.has(code)
    if (code !== undefined) causes.add(code)
    const line = known ? `· memory problem (${part}): the same cause` : text
    const key = code === undefined ? text : `${code} ${part}`
    if (told.has(key)) return undefined
    told.add(key)
    return line
  }
}

export const createEventTeller = (terminal: Terminal, notices: Notices): ((event: HermesEvent) => void) => {
  const underReview = new Map<string, ReviewStart>()
  const filterProblem = createProblemFilter()
  return (event) => {
    if (event.type === 'review-started') underReview.set(event.sessionId, event)
    const line = describeEvent(event, 'sessionId' in event ? underReview.get(event.sessionId ?? '') : undefined)
    if (line === undefined) return
    const text = line.tone === 'problem' ? filterProblem(event, line.text) : line.text
    if (text === undefined) return
    const colour = line.tone === 'problem' ? terminal.paint.red : terminal.paint.dim
    notices.tell(colour(wrapText(text, terminal.columns, '  ')))
  }
}
