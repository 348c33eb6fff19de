/** The order of what a merged text takes from its sources. Pure. */
import { pause } from '../shared/pause.ts'
import type { MergeSources, Occurrence } from './merge-sources.ts'
import type { Statement } from './statement.ts'

/** A part of a merged text, with the places where its sources say the same. */
export interface Taken {
  readonly statement: Statement
  readonly found: readonly Occurrence[]
}

/** Where it stands in the order of a text; a description or a heading of the same words counts only if there is nothing else. */
const inOrder = (found: readonly Occurrence[]): readonly Occurrence[] => {
  const placed = found.filter(({ at, statement }) => at !== undefined && statement.kind !== 'heading')
  return placed.length > 0 ? placed : found
}

/** Whether the same sources have both, and only in the other order. */
export const isReversed = (given: readonly Occurrence[], later: readonly Occurrence[]): boolean => {
  const [first, second] = [inOrder(given), inOrder(later)]
  const sources = new Set(first.map(({ source }) => source))
  const others = new Set(second.map(({ source }) => source))
  if (sources.size !== others.size || ![...sources].every((source) => others.has(source))) return false
  return !first.some((one) =>
    second.some((other) => one.source === other.source && (one.at === undefined || other.at === undefined || one.at <= other.at)),
  )
}

/** What stands behind something that its source has after it; at most `most` of them. */
export const findReordered = async (
  taken: readonly Taken[],
  most: number,
): Promise<readonly { readonly statement: Statement; readonly before: Statement }[]> => {
  const placed = taken.filter(({ statement }) => statement.kind !== 'heading')
  const reordered: { statement: Statement; before: Statement }[] = []
  const last = new Map<number, number>()
  for (const [index, { statement, found }] of placed.entries()) {
    const maybe = found.some(({ source, at }) => at !== undefined && at < (last.get(source) ?? 0))
    for (const { source, at = 0 } of found) last.set(source, Math.max(at, last.get(source) ?? 0))
    if (!maybe) continue
    await pause()
    const before = placed.slice(0, index).find((earlier) => isReversed(earlier.found, found))
    if (before) reordered.push({ statement, before: before.statement })
    if (reordered.length >= most) break
  }
  return reordered
}

/** The steps of a list or of a code block, from which something was taken that stands nowhere else. */
const takenSequences = (order: readonly (readonly Occurrence[])[], { all, find }: MergeSources): readonly (readonly Occurrence[])[] => {
  const sequences = new Map<object, Occurrence[]>()
  for (const occurrence of all) {
    const { sequence, key } = occurrence.statement
    if (!sequence || key === '') continue
    const steps = sequences.get(sequence)
    if (steps) steps.push(occurrence)
    else sequences.set(sequence, [occurrence])
  }
  const taken = new Set(order.flat())
  const isOnlyIn = ({ statement: { key, sequence } }: Occurrence): boolean =>
    find(key).every((other) => other.statement.sequence === sequence)
  return [...sequences.values()].filter((steps) => steps.some((step) => taken.has(step) && isOnlyIn(step)))
}

/** Steps are taken whole and in their order, or not at all: of each sequence the first step that is not. */
export const findMissingSteps = (taken: readonly Taken[], sources: MergeSources): readonly Statement[] => {
  const order = taken.map(({ found }) => found)
  return takenSequences(order, sources).flatMap((steps) => {
    let from = 0
    for (const step of steps) {
      const at = order.findIndex(
        (found, index) => index >= from && found.some((each) => each === step || each.statement.key === step.statement.key),
      )
      if (at < 0) return [step.statement]
      from = at + 1
    }
    return []
  })
}
