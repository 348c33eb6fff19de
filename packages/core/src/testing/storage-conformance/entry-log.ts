/** A log document that many writers append to. It is JSON, so that a truncated document does not parse. Must not import vitest: child processes use it. */

import type { Result } from '../../shared/result.ts'
import type { DocumentChange, StorageBackend } from '../../storage/storage-backend.ts'

/** Returns the value, or throws the error. */
export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

const parse = (bytes: Uint8Array): readonly string[] => {
  const entries: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (!Array.isArray(entries)) throw new TypeError('The log is no list.')
  return entries.map(String)
}

export const appending =
  (entry: string): DocumentChange =>
  (current) =>
    new TextEncoder().encode(JSON.stringify([...(current ? parse(current.bytes) : []), entry]))

export const entriesAt = async (storage: StorageBackend, path: string): Promise<readonly string[]> => {
  const document = unwrap(await storage.read(path))
  return document ? parse(document.bytes) : []
}
