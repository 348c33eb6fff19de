/** The storage of one owner passes the conformance suite for back ends, next to another owner with the same paths. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageConformance } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { SECOND_EXTENT, STORAGE_ROUNDS } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StoredDocument } from '../../src/storage/storage-backend.ts'
import { open, openAlone } from './open-owner-storage.ts'

// Process tests run for the file back end only, because the view adds no locks.
storageConformance(
  'an owner of a folder',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'hermes-owner-'))
    return { open: () => open({ home, user: 'Alice' }), dispose: () => rm(home, { recursive: true, force: true }) }
  },
  { processes: false, ...STORAGE_ROUNDS, extent: SECOND_EXTENT },
)

describe('beside another owner', () => {
  storageConformance(
    'an owner in memory',
    async () => {
      const documents = new Map<string, StoredDocument>()
      const other = openAlone(inMemoryBackend(documents), 'alice')
      for (const path of ['a', 'doc', 'memories/MEMORY.md', 'skills/one/SKILL.md'])
        await updateDocument(other, path, () => new Uint8Array([7]))
      const before = await other.list('')
      return {
        open: async () => openAlone(inMemoryBackend(documents), 'Alice'),
        dispose: async () => expect(await other.list('')).toEqual(before),
      }
    },
    { processes: false, ...STORAGE_ROUNDS },
  )
})

describe('paths', () => {
  it.each(['../alice/x', '..', '/etc/passwd', 'a/../../b', ''])('refuses %j before it is put below the prefix', async (path) => {
    const storage = openAlone(inMemoryBackend(), 'Alice')
    expect(await readDocument(storage, path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await updateDocument(storage, path, () => new Uint8Array())).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await moveDocuments(storage, 'a', path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })
})
