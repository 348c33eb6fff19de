/** Tells what happens behind the turn, one line each; the same problem only once. */
import type { HermesEvent } from '@hermes/core'
import { describeEvent } from '../agent/describe-event.ts'
import type { Notices } from './notices.ts'
import type { Terminal } from './terminal.ts'
import { wrapText } from './word-wrap.ts'

export const createEventTeller = (terminal: Terminal, notices: Notices): ((event: HermesEvent) => void) => {
  const turnsUnderReview = new Map<string, number>()
  const told = new Set<string>()
  return (event) => {
    if (event.type === 'review-started') turnsUnderReview.set(event.sessionId, event.turns)
    const line = describeEvent(event, turnsUnderReview.get(event.sessionId))
    if (line === undefined) return
    if (line.tone === 'problem') {
      if (told.has(line.text)) return
      told.add(line.text)
    }
    const colour = line.tone === 'problem' ? terminal.paint.red : terminal.paint.dim
    notices.tell(colour(wrapText(line.text, terminal.columns, '  ')))
  }
}
