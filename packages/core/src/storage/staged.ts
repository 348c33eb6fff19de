/** What a transaction has changed and moved so far, and what that comes to in one update. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { joined } from '../shared/joined-bytes.ts'
import { isBelow } from './document-tree.ts'
import type { CheckedPlan, Put } from './plan.ts'
import type { DocumentContent } from './storage-backend.ts'

export interface StagedChange {
  /** The whole document, or its removal. Undefined: it only grows. */
  readonly put: Put | null | undefined
  readonly appended: Uint8Array
}

/** By present path. */
export type StagedChanges = ReadonlyMap<string, StagedChange>
type Appends = Readonly<Record<string, Uint8Array>>

export const EMPTY = new Uint8Array()
export const NOTHING: StagedChange = { put: undefined, appended: EMPTY }

const stamps = new WeakMap<StagedChange, number>()
let lastStamp = 0

/** Of a listing: differs after each change. */
export const stampOf = (change: StagedChange): number => {
  const stamp = stamps.get(change) ?? ++lastStamp
  stamps.set(change, stamp)
  return stamp
}

/** After what a plan writes. */
export const withWrites = (before: StagedChanges, { puts, appends }: CheckedPlan<unknown>): StagedChanges => {
  const changes = new Map(before)
  for (const [path, put] of puts) {
    const earlier = changes.get(path)?.put
    const executable = put?.executable ?? (earlier === null ? false : earlier?.executable)
    changes.set(path, { put: put && { bytes: new Uint8Array(put.bytes), executable }, appended: EMPTY })
  }
  for (const [path, bytes] of appends) {
    const { put, appended } = changes.get(path) ?? NOTHING
    changes.set(path, { put: put === null ? { bytes: EMPTY, executable: false } : put, appended: joined([appended, bytes]) })
  }
  return changes
}

/** As puts and appends of one plan. `more`: goes behind what was appended before. */
export const writesOf = (
  changes: StagedChanges,
  more: Appends,
): { readonly put: Record<string, Uint8Array | DocumentContent | null>; readonly append: Record<string, Uint8Array> } => {
  const put: Record<string, Uint8Array | DocumentContent | null> = {}
  const append: Record<string, Uint8Array> = { ...more }
  for (const [path, change] of changes) {
    const added = joined([change.appended, more[path] ?? EMPTY])
    if (change.put === undefined) append[path] = added
    else {
      delete append[path]
      const bytes = change.put || added.length > 0 ? joined([change.put?.bytes ?? EMPTY, added]) : null
      put[path] = bytes && change.put?.executable !== undefined ? { bytes, executable: change.put.executable } : bytes
    }
  }
  return { put, append }
}

/** Each from a path of the beginning to a present one, in an order in which they can be carried out. */
export type Moves = readonly (readonly [from: string, to: string])[]

export const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder)

/** `path` at or below `from`, put at or below `to`; any other path as it is. */
export const relocate = (path: string, from: string, to: string): string => (isWithin(path, from) ? to + path.slice(from.length) : path)

type Ends = ReadonlyMap<string, readonly [from: string, to: string]>

/** By one end of each, since there may be thousands of moves and of paths. */
const indexes = new WeakMap<Moves, { readonly from: Ends; readonly to: Ends }>()

const indexOf = (moves: Moves): { readonly from: Ends; readonly to: Ends } => {
  const known = indexes.get(moves)
  if (known) return known
  const index = { from: new Map(moves.map((move) => [move[0], move])), to: new Map(moves.map((move) => [move[1], move])) }
  indexes.set(moves, index)
  return index
}

/** The move of a path, or of the innermost folder above it that moves by itself. */
const innermost = (ends: Ends, path: string): readonly [from: string, to: string] | undefined => {
  if (ends.size === 0) return undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = ends.get(path.slice(0, end))
    if (found) return found
  }
  return undefined
}

export const placeOf = (moves: Moves, path: string): string => {
  const moved = innermost(indexOf(moves).from, path)
  return moved ? relocate(path, ...moved) : path
}

/** Where what is at `path` after the moves was before them. */
export const placeBefore = (moves: Moves, path: string): string => {
  const moved = innermost(indexOf(moves).to, path)
  return moved ? relocate(path, moved[1], moved[0]) : path
}

/** Whether `path`, or a folder above it, moves. */
export const isMoved = (moves: Moves, path: string): boolean => innermost(indexOf(moves).from, path) !== undefined

/** Undefined for a path from which everything has moved away. */
export const originOf = (moves: Moves, path: string): string | undefined => {
  const origin = placeBefore(moves, path)
  return placeOf(moves, origin) === path ? origin : undefined
}

const refusal = (from: string, to: string): HermesError =>
  new HermesError(
    'invalid',
    `'${from}' cannot move to '${to}' in one update with what was moved or removed there before. Make two updates of it.`,
    { details: { path: from } },
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
