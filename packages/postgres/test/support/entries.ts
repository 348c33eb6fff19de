/** Documents as lists of entries, so that each write can be counted. */
import type { Result, StorageBackend } from '@hermes/core'
import { type DocumentChange, readDocument } from '@hermes/core/storage'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const unwrap = <T>(result: Result<T>): T => {
  if (result.ok) return result.value
  throw result.error
}

export const appending =
  (entry: string): DocumentChange =>
  (current) =>
    bytes(current ? `${new TextDecoder().decode(current.bytes)}\n${entry}` : entry)

export const textAt = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const document = unwrap(await readDocument(storage, path))
  return document && new TextDecoder().decode(document.bytes)
}

export const entriesAt = async (storage: StorageBackend, path: string): Promise<readonly string[]> =>
  (await textAt(storage, path))?.split('\n') ?? []

export const pathsIn = async (storage: StorageBackend, prefix = ''): Promise<readonly string[]> =>
  unwrap(await storage.list(prefix)).map(({ path }) => path)

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code)
