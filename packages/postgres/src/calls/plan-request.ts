/** What is sent of a plan: one JSON text, and the bytes of all its documents one after another, which every client can send. Pure. */
import type { CheckedPlan } from '@hermes/core/storage'
import type { SqlValue } from '../drivers/driver.ts'

/** Where the bytes of a document are in the content; `from` counts from 1. */
type Part = readonly [path: string, from: number, length: number]

export interface Changes {
  readonly moves: CheckedPlan<unknown>['moves']
  readonly removals: readonly string[]
  readonly puts: readonly (readonly [...Part, executable: boolean | null])[]
  readonly appends: readonly Part[]
  readonly content: Uint8Array
}

export const NO_CHANGES: Changes = { moves: [], removals: [], puts: [], appends: [], content: new Uint8Array() }

export const isNothing = ({ moves, puts, appends }: CheckedPlan<unknown>): boolean =>
  moves.length === 0 && puts.size === 0 && appends.size === 0

/** Copies the bytes: the caller may change its own while they are sent. */
export const toChanges = ({ moves, puts, appends }: CheckedPlan<unknown>): Changes => {
  const parts: Uint8Array[] = []
  let length = 0
  const take = (path: string, bytes: Uint8Array): Part => {
    parts.push(bytes)
    length += bytes.length
    return [path, length - bytes.length + 1, bytes.length]
  }
  const written = [...puts].flatMap(([path, put]) => (put ? [[...take(path, put.bytes), put.executable ?? null] as const] : []))
  const appended = [...appends].map(([path, bytes]) => take(path, bytes))
  const content = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    content.set(part, at)
    at += part.length
  }
  return { moves, removals: [...puts].flatMap(([path, put]) => (put ? [] : [path])), puts: written, appends: appended, content }
}

/** The path of a document that is put and too long, with its length. One that becomes too long by an append is found by the database. */
export const tooLong = ({ puts, appends }: CheckedPlan<unknown>, most: number): readonly [path: string, length: number] | undefined => {
  const written = [...puts].flatMap(([path, put]) => (put ? [[path, put.bytes.length] as const] : []))
  return [...written, ...[...appends].map(([path, bytes]) => [path, bytes.length] as const)].find(([, length]) => length > most)
}

export const toValues = (id: string, attempt: number, request: object, { content, ...changes }: Changes, most: number): SqlValue[] => [
  id,
  attempt,
  JSON.stringify({ ...request, changes: { ...changes, most } }),
  content,
]
