/** The in-memory back end keeps every promise that is meaningful in one process. */

import { storageConformance } from '@hermes/testing'
import { expect, it } from 'vitest'
import { STORAGE_ROUNDS } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from './in-memory.ts'
import { moveDocuments, updateDocument } from './one-document.ts'
import type { StoredDocument } from './storage-backend.ts'

const create = async () => {
  const documents = new Map<string, StoredDocument>()
  return { open: async () => inMemoryBackend(documents), dispose: async () => documents.clear() }
}

storageConformance('in memory', create, { processes: false, ...STORAGE_ROUNDS })

it('starts empty each time', async () => {
  await updateDocument(inMemoryBackend(), 'a', () => new Uint8Array([1]))
  expect(await inMemoryBackend().list('')).toEqual({ ok: true, value: [] })
})

it('never lets a document be a folder as well', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'a', () => new Uint8Array())
  await updateDocument(storage, 'b/c', () => new Uint8Array())
  expect(await updateDocument(storage, 'a/x', () => new Uint8Array())).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(await updateDocument(storage, 'b', () => new Uint8Array())).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(await moveDocuments(storage, 'b', 'a/b')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
})

it('takes no document for a folder whose name only begins like its own', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'a', () => new Uint8Array())
  await updateDocument(storage, 'x/y', () => new Uint8Array())
  expect((await updateDocument(storage, 'ab/c', () => new Uint8Array())).ok).toBe(true)
  expect((await moveDocuments(storage, 'x', 'a b/c')).ok).toBe(true)
})
