/** A plan of an update: checked for untyped callers too, run on what was read, and carried out on a map of documents. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { makeCut, type NamedPaths, namesDocument, namesFolder, type ReadDocuments } from './cut.ts'
import { foldersOf, isBelow, PathTree } from './document-tree.ts'
import type { Cut, DocumentContent, Plan, StoredDocument } from './storage-backend.ts'
import { checkStoragePath } from './storage-paths.ts'

// By its tag: `instanceof` is false for arrays of another realm, such as a test runner's.
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'

export const isContent = (value: unknown): value is DocumentContent =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  isBytes(value.bytes) &&
  (!('executable' in value) || value.executable === undefined || typeof value.executable === 'boolean')

export const describe = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}

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
  const filled = new Set<string>()
  const above = new Set<string>()
  for (const [from, to] of moves) {
    if (filled.has(from) || above.has(from) || foldersOf(from).some((folder) => filled.has(folder)))
      throw wrong(`The plan moves '${from}', where an earlier move of it has put something. Name the last place in one move.`)
    filled.add(to)
    for (const folder of foldersOf(to)) above.add(folder)
  }
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

/** Runs a plan as `runPlan` does, or says which documents it wants to be read before it runs again. */
export const tryPlan = <T>(
  named: NamedPaths,
  read: ReadDocuments,
  plan: (cut: Cut) => Plan<T>,
): Result<CheckedPlan<T>> | { readonly wanted: readonly string[] } => {
  const wanted = new Set<string>()
  try {
    const planned = checkPlan(plan(makeCut(named, read, wanted)), named)
    if (wanted.size === 0) return ok(planned)
  } catch (cause) {
    if (wanted.size === 0 && HermesError.isInstance(cause) && [...read.documents.values()].includes(cause)) return err(cause)
    if (wanted.size === 0) throw cause
  }
  return { wanted: [...wanted] }
}

/** The error of a document that cannot be read is the result, if the plan lets it through. Throws whatever else the plan throws, and a TypeError for a wrong plan. */
export const runPlan = <T>(named: NamedPaths, read: ReadDocuments, plan: (cut: Cut) => Plan<T>): Result<CheckedPlan<T>> => {
  const planned = tryPlan(named, read, plan)
  if ('wanted' in planned) throw new Error('Everything was read.')
  return planned
}

export type Documents = Map<string, StoredDocument>

/** Without `executable` if it is false. */
export const toStoredDocument = (bytes: Uint8Array, executable: boolean): StoredDocument => ({
  bytes,
  ...(executable ? { executable } : {}),
})

/** The error of what a plan cannot do. `paths`: of the documents that it may meet. */
export const conflictOf = (paths: Iterable<string>, { moves, puts, appends }: CheckedPlan<unknown>): HermesError | undefined => {
  const tree = new PathTree(paths)
  for (const [from, to] of moves) {
    const conflict = tree.move(from, to)
    if (conflict) return conflict
  }
  for (const [path, put] of puts) if (put === null) tree.remove(path)
  for (const path of [...puts.keys(), ...appends.keys()]) {
    const conflict = puts.get(path) === null ? undefined : tree.put(path)
    if (conflict) return conflict
  }
  return undefined
}

/** The tree after a plan; the error of what cannot be done. */
export const applyPlan = (before: Documents, plan: CheckedPlan<unknown>): Result<Documents> => {
  const conflict = conflictOf(before.keys(), plan)
  if (conflict) return err(conflict)
  const after: Documents = new Map(before)
  for (const [from, to] of plan.moves) {
    const moving = [...after].filter(([path]) => path === from || isBelow(path, from))
    for (const [path] of moving) after.delete(path)
    for (const [path, document] of moving) after.set(to + path.slice(from.length), document)
  }
  const write = (path: string, bytes: Uint8Array, executable: boolean) =>
    after.set(path, toStoredDocument(new Uint8Array(bytes), executable))
  for (const [path, put] of plan.puts)
    if (put === null) after.delete(path)
    else write(path, put.bytes, put.executable ?? after.get(path)?.executable ?? false)
  for (const [path, more] of plan.appends) {
    const current = after.get(path)
    const bytes = new Uint8Array((current?.bytes.length ?? 0) + more.length)
    bytes.set(current?.bytes ?? [])
    bytes.set(more, current?.bytes.length ?? 0)
    write(path, bytes, current?.executable ?? false)
  }
  return ok(after)
}
