/** Copies of entries that other writers may force a change to evict: made beforehand, so that a full store takes many writers at once. Pure. */
import { countCodePoints } from '../shared/code-points.ts'
import { ENTRY_DELIMITER } from './entry-list.ts'
import { type ChangeRequest, type PlannedChange, planChange } from './plan-change.ts'

/** Limits the copies that are made in vain. */
const MAX_OTHERS = 16

const charsOf = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((chars, { text }) => chars + countCodePoints(text) + countCodePoints(ENTRY_DELIMITER), 0)

/**
 * The plan with the evictions that it would need after other writers have made as much room each: 4 of them at the second attempt, 16 later.
 * `attempts`: failed so far.
 */
export const withSpareEvictions = (
  before: readonly string[],
  request: ChangeRequest,
  planned: PlannedChange,
  attempts: number,
): PlannedChange => {
  if (attempts === 0 || planned.evicted.length === 0) return planned
  const spareChars = Math.min(4 ** attempts, MAX_OTHERS) * charsOf(planned.evicted)
  const roomier = planChange(before, { ...request, charLimit: Math.max(1, request.charLimit - spareChars) })
  if (!roomier.ok) return planned
  const own = new Set(planned.evicted.map(({ text }) => text))
  const evicted = [...planned.evicted, ...roomier.value.evicted.filter(({ text }) => !own.has(text))]
  const gone = new Set(evicted.map(({ text }) => text))
  return { ...planned, evicted, entries: planned.entries.filter((entry) => !gone.has(entry)) }
}
