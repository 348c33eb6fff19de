import { expect, it } from 'vitest'
import { treeOf, unwrap, write } from '../../../test/support/skill-library.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { STAGING_FOLDER } from '../backup/backup-scope.ts'
import { clearStaging, stageDocuments } from './rollback-stage.ts'

const MB = 1024 * 1024

const contentsOf = (documents: Readonly<Record<string, Uint8Array>>) =>
  new Map(Object.entries(documents).map(([path, bytes]) => [path, { bytes, executable: false }]))

const text = (value: string) => new TextEncoder().encode(value)

const stage = (storage: StorageBackend, documents: Readonly<Record<string, Uint8Array>>, present: readonly string[] = []) =>
  stageDocuments(
    storage,
    contentsOf(documents),
    Object.keys(documents),
    present.map((path) => ({ path, size: 0, stamp: '' })),
  )

it('writes the documents one after the other into few files, until they are cleared', async () => {
  const storage = inMemoryBackend()
  unwrap(await stage(storage, { 'skills/a/SKILL.md': text('one, '), 'skills/b/SKILL.md': text(''), 'skills/c/SKILL.md': text('two') }))
  expect(await treeOf(storage, STAGING_FOLDER)).toEqual({ [`${STAGING_FOLDER}/1`]: 'one, two' })
  unwrap(await clearStaging(storage))
  expect(await treeOf(storage, STAGING_FOLDER)).toEqual({})
})

it('begins a new file after four megabytes, and splits no document', async () => {
  const storage = inMemoryBackend()
  const sizes = [5, 1, 3, 2, 2, 1]
  unwrap(await stage(storage, Object.fromEntries(sizes.map((size, index) => [`skills/${index}`, new Uint8Array(size * MB)]))))
  const files = unwrap(await storage.list(STAGING_FOLDER))
  expect(files.map(({ path, size }) => [path, size / MB])).toEqual(
    [5, 4, 4, 1].map((size, index) => [`${STAGING_FOLDER}/${index + 1}`, size]),
  )
})

it('writes no file if there is nothing to restore', async () => {
  const storage = inMemoryBackend()
  unwrap(await stage(storage, {}))
  expect(await treeOf(storage, '')).toEqual({})
})

it.each([
  ['other bytes', { bytes: text('thex') }],
  ['nothing', undefined],
])('fails if the disk gives back %s', async (_what, given) => {
  const read: StorageBackend['read'] = (paths) => inMemoryBackend(new Map(given && paths.map((path) => [path, given]))).read(paths)
  expect(await stage({ ...inMemoryBackend(), read }, { 'skills/a': text('then') })).toMatchObject({
    ok: false,
    error: { code: 'io', details: { path: `${STAGING_FOLDER}/1` } },
  })
})

it('fails before it writes anything if a document that it has to replace cannot be read', async () => {
  const storage = inMemoryBackend()
  await write(storage, { 'skills/a': 'now' })
  const read = async () => err(new HermesError('unreadable', 'EACCES'))
  expect(await stage({ ...storage, read }, { 'skills/a': text('then') }, ['skills/a'])).toMatchObject({ error: { code: 'unreadable' } })
  expect(await treeOf(storage, STAGING_FOLDER)).toEqual({})
})

it.each(['update', 'read'] as const)('fails as the storage does, %s', async (call) => {
  const storage = { ...inMemoryBackend(), [call]: async () => err(new HermesError('no_space', 'The disk is full.')) }
  expect(await stage(storage, { 'skills/a': text('then') })).toMatchObject({ ok: false, error: { code: 'no_space' } })
})
