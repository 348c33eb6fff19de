/**
 * A log that many writers append to, in two documents that each update changes together: a JSON document, which does not parse if it is truncated, and its lines.
 * Must not import vitest: child processes use it.
 */
import type { Result, StorageBackend } from '@hermes/core'
import { unwrap } from '../suite.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

const parse = (bytes: Uint8Array): readonly string[] => {
  const entries: unknown = JSON.parse(decode(bytes))
  if (!Array.isArray(entries)) throw new TypeError('The log is no list.')
  return entries.map(String)
}

const linesOf = (path: string): string => `${path}.lines`

export const appendEntry = (storage: StorageBackend, path: string, entry: string): Promise<Result<undefined>> =>
  storage.update([path, linesOf(path)], (cut) => {
    const current = cut.document(path)
    return {
      put: { [path]: encode(JSON.stringify([...(current ? parse(current.bytes) : []), entry])) },
      append: { [linesOf(path)]: encode(`${entry}\n`) },
      value: undefined,
    }
  })

/** Throws if one of the two documents lacks an update. */
export const entriesAt = async (storage: StorageBackend, path: string): Promise<readonly string[]> => {
  const cut = unwrap(await storage.read([path, linesOf(path)]))
  const [document, lines] = [cut.document(path), cut.document(linesOf(path))]
  const entries = document ? parse(document.bytes) : []
  if (entries.map((entry) => `${entry}\n`).join('') !== (lines ? decode(lines.bytes) : ''))
    throw new Error(`'${path}' and its lines do not hold the same updates.`)
  return entries
}
