/** Copies of entries that other writers may force a change to evict: made beforehand, so that a full store takes many writers at once. Pure. */
import { countCodePoints } from '../shared/code-points.ts'
import { ENTRY_DELIMITER } from './entry-list.ts'
import { type ChangeRequest, type PlannedChange, planChange } from './plan-change.ts'

/** Limits the copies that are made in vain. */
const MAX_OTHERS = 16

const charsOf = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((chars, { text }) => chars + countCodePoints(text) + countCodePoints(ENTRY_DELIMITER), 0)

/** What the change would evict after so many others have made as much room; fewer if there is not so much to evict. */
const evictionsBehind = (
  before: readonly string[],
  request: ChangeRequest,
  planned: PlannedChange,
  most: number,
): PlannedChange['evicted'] => {
  const chars = charsOf(planned.evicted)
  for (let others = most; others >= 1; others = Math.floor(others / 2)) {
    const roomier = planChange(before, { ...request, charLimit: Math.max(1, request.charLimit - others * chars) })
    if (roomier.ok) return roomier.value.evicted
  }
  return []
}

/**
 * The plan with the evictions that it would need after other writers have made as much room each: 4 of them at the second attempt, 16
 * later, fewer in a small store. `attempts`: failed so far.
 */
export const withSpareEvictions = (
  before: readonly string[],
  request: ChangeRequest,
  planned: PlannedChange,
  attempts: number,
): PlannedChange => {
  if (attempts === 0 || planned.evicted.length === 0) return planned
  const own = new Set(planned.evicted.map(({ text }) => text))
  const spare = evictionsBehind(before, request, planned, Math.min(4 ** attempts, MAX_OTHERS)).filter(({ text }) => !own.has(text))
  if (spare.length === 0) return planned
  const evicted = [...planned.evicted, ...spare]
  const gone = new Set(evicted.map(({ text }) => text))
  return { ...planned, evicted, entries: planned.entries.filter((entry) => !gone.has(entry)) }
}
