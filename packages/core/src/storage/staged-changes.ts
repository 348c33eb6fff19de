/** What a transaction has changed so far, and what that comes to in one update. Pure. */
import type { Put } from './checked-plan.ts'
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
type Changes = ReadonlyMap<string, Change>

export const putsOf = (changes: Changes): Readonly<Record<string, Uint8Array | DocumentContent | null>> => {
  const puts: Record<string, Uint8Array | DocumentContent | null> = {}
  for (const [path, { put, appended }] of changes) {
    if (put === undefined) continue
    const bytes = put && joined([put.bytes, ...appended])
    puts[path] = bytes && put?.executable !== undefined ? { bytes, executable: put.executable } : bytes
  }
  return puts
}

/** `more`: goes behind what was appended before. */
export const appendsOf = (changes: Changes, more: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, Uint8Array>> => {
  const growing = [...changes].filter(([, { put }]) => put === undefined)
  return { ...more, ...Object.fromEntries(growing.map(([path, { appended }]) => [path, joined([...appended, more[path] ?? EMPTY])])) }
}

const stamps = new WeakMap<Change, number>()
let lastStamp = 0

/** Of a listing: differs after each change. */
export const stampOf = (change: Change): number => {
  const stamp = stamps.get(change) ?? ++lastStamp
  stamps.set(change, stamp)
  return stamp
}
