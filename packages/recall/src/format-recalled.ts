/** A hit as a text that can be understood alone. */
import type { RecallHit } from './recall.ts'

/** In UTC, such as `2026-10-03`. */
export const dateOf = (at: number): string => {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? 'unknown date' : date.toISOString().slice(0, 10)
}

const spoken = ({ user, answer }: RecallHit): string =>
  [user === '' ? '' : `User: ${user}`, answer === '' ? '' : `Agent: ${answer}`].filter((part) => part !== '').join(' ')

export const formatRecalled = (hit: RecallHit): string => {
  if (hit.kind === 'entry') return `${dateOf(hit.at)}, archived memory entry: ${hit.answer}`
  if (hit.kind === 'skill') return `${dateOf(hit.at)}, archived skill '${hit.source}': ${hit.answer}`
  return `${dateOf(hit.at)}, session ${hit.source}${hit.automated ? ' (automated)' : ''}: ${spoken(hit)}`
}
