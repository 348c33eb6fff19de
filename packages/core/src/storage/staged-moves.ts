/** The moves of a transaction: where things were before all of them, and where they are now. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { isBelow } from './document-tree.ts'

/** Each from a path of the beginning to a present one, in an order in which they can be carried out. */
export type Moves = readonly (readonly [from: string, to: string])[]

export const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder)

/** `path` at or below `from`, put at or below `to`; any other path as it is. */
export const relocate = (path: string, from: string, to: string): string => (isWithin(path, from) ? to + path.slice(from.length) : path)

export const placeOf = (moves: Moves, path: string): string => {
  const moved = moves.find(([from]) => isWithin(path, from))
  return moved ? relocate(path, ...moved) : path
}

/** Undefined for a path from which everything has moved away. */
export const originOf = (moves: Moves, path: string): string | undefined => {
  const moved = moves.find(([, to]) => isWithin(path, to))
  const origin = moved ? relocate(path, moved[1], moved[0]) : path
  return placeOf(moves, origin) === path ? origin : undefined
}

const refusal = (from: string, to: string): HermesError =>
  new HermesError(
    'invalid',
    `'${from}' cannot move to '${to}' in one update with what was moved or removed there before. Make two updates of it.`,
    {
      details: { path: from },
    },
  )

/**
 * The moves with another one, whose `from` is a present path; an error if they would be no list of moves from the beginning. `removed`: present paths whose
 * documents of the beginning were removed.
 */
export const withMove = (moves: Moves, from: string, to: string, removed: readonly string[]): Moves | HermesError => {
  if (removed.some((path) => isWithin(path, to))) return refusal(from, to)
  const whole = moves.find(([, end]) => end === from)
  if (whole) {
    const isBack = whole[0] === to
    const isInUse = moves.some((each) => each !== whole && (isWithin(to, each[0]) || isWithin(each[0], to)))
    if (isInUse) return refusal(from, to)
    return moves.flatMap((each) => (each !== whole ? [each] : isBack ? [] : [[each[0], to] as const]))
  }
  if (moves.some(([, end]) => isBelow(end, from))) return refusal(from, to)
  const origin = originOf(moves, from) ?? from
  // What is taken out of a folder goes before the folder does, and what makes room at a target before that is taken.
  const first = moves.filter(([source]) => isBelow(source, origin) || isWithin(source, to) || isWithin(to, source))
  const rest = moves.filter((each) => !first.includes(each))
  if (first.some(([source]) => isWithin(origin, source))) return refusal(from, to)
  return [...first, [origin, to], ...rest]
}
