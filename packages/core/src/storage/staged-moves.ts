/** The moves of a transaction: where things were before all of them, and where they are now. Pure. */
import { isBelow } from './document-tree.ts'

/** Each from a path of the beginning to a present one; what is within another one's source comes first. */
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

/** Throws for a move of a folder into which another one has moved something: that would be no list of moves from the beginning. */
export const refuseMove = (moves: Moves, from: string): void => {
  const inside = moves.find(([, to]) => isBelow(to, from))
  if (inside) throw new TypeError(`A transaction cannot move '${from}', into which it has moved '${inside[0]}'. Commit it before.`)
}

/** `from`: a present path. */
export const withMove = (moves: Moves, from: string, to: string): Moves => {
  const whole = moves.find(([, end]) => end === from)
  if (whole) return moves.map((each) => (each === whole ? [each[0], to] : each))
  return [[originOf(moves, from) ?? from, to], ...moves]
}
