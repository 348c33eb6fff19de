/** Checks the result of a change for untyped callers: only bytes may be written. */
import { UNCHANGED } from './one-document.ts'
import type { DocumentContent } from './storage-backend.ts'

// By its tag: `instanceof` is false for arrays of another realm, such as a test runner's.
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'

export const isContent = (value: unknown): value is DocumentContent =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  isBytes(value.bytes) &&
  (!('executable' in value) || value.executable === undefined || typeof value.executable === 'boolean')

const describe = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}

/**
 * Returns what to write: the next content, `undefined` to remove the document, or `UNCHANGED`. Bytes alone keep `executable` of
 * `current`. Throws a TypeError for any other result. Every back end must check each result of a change with it.
 */
export const checkChangeResult = (
  path: string,
  next: unknown,
  current: DocumentContent | undefined,
): Required<DocumentContent> | undefined | typeof UNCHANGED => {
  if (next === undefined || next === UNCHANGED) return next
  if (isBytes(next)) return { bytes: next, executable: current?.executable ?? false }
  if (isContent(next)) return { bytes: next.bytes, executable: next.executable ?? false }
  const demand =
    'It must return a Uint8Array (new TextEncoder().encode(text) makes one of text), { bytes, executable }, undefined to remove the document, or UNCHANGED'
  if (next instanceof Promise) {
    // The promise is never awaited; its rejection must not end the process.
    next.catch(() => undefined)
    throw new TypeError(`The change of '${path}' returned a promise. ${demand}, not a promise: do what takes time before the update.`)
  }
  throw new TypeError(`The change of '${path}' returned ${describe(next)}. ${demand}. Nothing was written.`)
}
