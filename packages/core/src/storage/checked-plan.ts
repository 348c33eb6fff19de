/** Checks what a plan returned, for untyped callers too: a wrong plan is a mistake in the program, so it is thrown, and nothing is written. Pure. */

import { isBelow } from './document-tree.ts'
import { describe, isBytes, isContent } from './is-content.ts'
import { type NamedPaths, namesDocument, namesFolder } from './named-paths.ts'
import type { Plan } from './storage-backend.ts'
import { checkStoragePath } from './storage-paths.ts'

/** A document's new bytes. `executable` undefined: as it is. */
export interface Put {
  readonly bytes: Uint8Array
  readonly executable: boolean | undefined
}

export interface CheckedPlan<T> {
  readonly moves: readonly (readonly [from: string, to: string])[]
  readonly puts: ReadonlyMap<string, Put | null>
  readonly appends: ReadonlyMap<string, Uint8Array>
  readonly value: T
}

const NOTHING = 'Nothing was written.'

const wrong = (what: string): TypeError => new TypeError(`${what} ${NOTHING}`)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isBytes(value)

const entriesOf = (plan: Readonly<Record<string, unknown>>, key: 'put' | 'append'): readonly (readonly [string, unknown])[] => {
  const value = plan[key]
  if (value === undefined) return []
  if (!isRecord(value)) throw wrong(`'${key}' of a plan is an object with a path as each key, but it was ${describe(value)}.`)
  return Object.entries(value)
}

const checkPath = (path: string, named: NamedPaths): void => {
  const checked = checkStoragePath(path)
  if (!checked.ok) throw wrong(checked.error.message)
  if (!namesDocument(named, path))
    throw wrong(`The plan changes '${path}', which the update did not name. Add it, or its folder with a '/', to the paths.`)
}

const toPut = (path: string, value: unknown): Put | null => {
  if (value === null) return null
  if (isBytes(value)) return { bytes: value, executable: undefined }
  if (isContent(value)) return { bytes: value.bytes, executable: value.executable ?? false }
  const demand = 'a Uint8Array (new TextEncoder().encode(text) makes one of text), { bytes, executable }, or null to remove it'
  throw wrong(`The plan puts ${describe(value)} at '${path}'. A document is ${demand}.`)
}

const isMove = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((path) => typeof path === 'string')

/** Either end is a document that was named, or a folder that was, or lies below one. */
const checkMove = (move: unknown, named: NamedPaths): readonly [string, string] => {
  if (!isMove(move)) throw wrong(`A move of a plan is [from, to], two paths without a '/' at their end, but it was ${describe(move)}.`)
  for (const path of move) {
    const checked = checkStoragePath(path)
    if (!checked.ok) throw wrong(checked.error.message)
    if (!namesDocument(named, path) && !namesFolder(named, path))
      throw wrong(`The plan moves '${path}', which the update did not name. Add it, or its folder with a '/', to the paths.`)
  }
  const [from, to] = move
  if (from === to || isBelow(to, from)) throw wrong(`'${from}' cannot move into itself ('${to}'). Choose a target outside it.`)
  return move
}

const movesOf = (value: unknown, named: NamedPaths): readonly (readonly [string, string])[] => {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw wrong(`'move' of a plan is a list of [from, to], but it was ${describe(value)}.`)
  const moves = value.map((move) => checkMove(move, named))
  for (const [index, [from]] of moves.entries())
    for (const [, to] of moves.slice(0, index))
      if (from === to || isBelow(from, to) || isBelow(to, from))
        throw wrong(`The plan moves '${from}', where an earlier move of it has put something. Name the last place in one move.`)
  return moves
}

/** `plan`: what the function of the caller returned. Throws a TypeError that says what is wrong with it. */
export const checkPlan = <T>(plan: Plan<T>, named: NamedPaths): CheckedPlan<T> => {
  if (plan instanceof Promise) {
    // The promise is never awaited; its rejection must not end the process.
    plan.catch(() => undefined)
    throw wrong(
      'The plan returned a promise, but it has to return { put, append, move, value } at once: do what takes time before the update.',
    )
  }
  if (!isRecord(plan)) throw wrong(`A plan is an object { put, append, move, value }, but it was ${describe(plan)}.`)
  const puts = new Map<string, Put | null>()
  const appends = new Map<string, Uint8Array>()
  for (const [path, value] of entriesOf(plan, 'put')) {
    checkPath(path, named)
    puts.set(path, toPut(path, value))
  }
  for (const [path, value] of entriesOf(plan, 'append')) {
    checkPath(path, named)
    if (puts.has(path)) throw wrong(`The plan both puts '${path}' and appends to it. Put the whole document.`)
    if (!isBytes(value)) throw wrong(`The plan appends ${describe(value)} to '${path}'. Append a Uint8Array.`)
    appends.set(path, value)
  }
  return { moves: movesOf(plan.move, named), puts, appends, value: plan.value }
}
