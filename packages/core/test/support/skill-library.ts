/** A skill library to back up: its documents as text, and the current documents of a storage. */

import type { HermesError } from '../../src/shared/hermes-error.ts'
import type { Result } from '../../src/shared/result.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

/** The error of a result that must not be ok. */
export const refusal = (result: Result<unknown>): HermesError => {
  if (result.ok) throw new Error('It was not refused.')
  return result.error
}

export const skillText = (name: string, body = 'Do the work.'): string =>
  `---\nname: ${name}\ndescription: How to ${name}.\n---\n\n${body}\n`

export const write = async (storage: StorageBackend, documents: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(documents)) unwrap(await updateDocument(storage, path, () => new TextEncoder().encode(text)))
}

export const remove = async (storage: StorageBackend, ...paths: readonly string[]): Promise<void> => {
  for (const path of paths) unwrap(await updateDocument(storage, path, () => undefined))
}

export const textAt = async (storage: StorageBackend, path: string): Promise<string | undefined> => {
  const document = unwrap(await readDocument(storage, path))
  return document && new TextDecoder().decode(document.bytes)
}

/** All documents below a folder, as text. */
export const treeOf = async (storage: StorageBackend, folder = 'skills'): Promise<Readonly<Record<string, string>>> => {
  const tree: Record<string, string> = {}
  for (const { path } of unwrap(await storage.list(folder))) tree[path] = (await textAt(storage, path)) ?? ''
  return tree
}

/** All documents except snapshots and leases. */
export const libraryOf = async (storage: StorageBackend): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(Object.entries(await treeOf(storage)).filter(([path]) => !/^skills\/\.(?:backups|locks)\//.test(path)))
