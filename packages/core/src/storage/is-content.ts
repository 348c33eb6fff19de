/** Tells the content of a document from other values, and says what those are, for untyped callers. Pure. */
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

export const describe = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
