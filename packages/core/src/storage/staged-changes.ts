/** What a transaction has changed so far, and what that comes to in one update. Pure. */
import type { CheckedPlan, Put } from './plan.ts'
import type { DocumentContent } from './storage-backend.ts'

export interface Change {
  /** The whole document, or its removal. Undefined: it only grows. */
  readonly put: Put | null | undefined
  readonly appended: readonly Uint8Array[]
}

export const EMPTY = new Uint8Array()
export const NOTHING: Change = { put: undefined, appended: [] }

export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** By path. */
export type Changes = ReadonlyMap<string, Change>
type Appends = Readonly<Record<string, Uint8Array>>

/** After what a plan writes. */
export const withWrites = (before: Changes, puts: CheckedPlan<unknown>['puts'], appends: CheckedPlan<unknown>['appends']): Changes => {
  const changes = new Map(before)
  for (const [path, put] of puts) {
    const earlier = changes.get(path)?.put
    const executable = put?.executable ?? (earlier === null ? false : earlier?.executable)
    changes.set(path, { put: put && { bytes: new Uint8Array(put.bytes), executable }, appended: [] })
  }
  for (const [path, bytes] of appends) {
    const earlier = changes.get(path) ?? NOTHING
    const put = earlier.put === null ? { bytes: EMPTY, executable: false } : earlier.put
    changes.set(path, { put, appended: [...earlier.appended, new Uint8Array(bytes)] })
  }
  return changes
}

/** `more`: goes behind what was appended before. */
export const putsOf = (changes: Changes, more: Appends): Readonly<Record<string, Uint8Array | DocumentContent | null>> => {
  const puts: Record<string, Uint8Array | DocumentContent | null> = {}
  for (const [path, { put, appended }] of changes) {
    if (put === undefined) continue
    const last = more[path]
    const bytes = put || last ? joined([put?.bytes ?? EMPTY, ...appended, last ?? EMPTY]) : null
    puts[path] = bytes && put?.executable !== undefined ? { bytes, executable: put.executable } : bytes
  }
  return puts
}

/** The same for documents that only grow. */
export const appendsOf = (changes: Changes, more: Appends): Appends => {
  const appends: Record<string, Uint8Array> = {}
  for (const path of new Set([...changes.keys(), ...Object.keys(more)])) {
    const { put, appended } = changes.get(path) ?? NOTHING
    if (put === undefined) appends[path] = joined([...appended, more[path] ?? EMPTY])
  }
  return appends
}

const stamps = new WeakMap<Change, number>()
let lastStamp = 0

/** Of a listing: differs after each change. */
export const stampOf = (change: Change): number => {
  const stamp = stamps.get(change) ?? ++lastStamp
  stamps.set(change, stamp)
  return stamp
}
