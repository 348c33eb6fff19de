import { expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from './backends/in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from './one-document.ts'
import { prefixedBackend } from './prefixed-backend.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const PATHS = ['homes/a/note', 'homes/a/x/y', 'homes/ab/note', 'homes/b/note', 'note']

const setUp = async () => {
  const whole = inMemoryBackend()
  for (const path of PATHS) await updateDocument(whole, path, () => bytes(path))
  const pathsOf = async () => {
    const listed = await whole.list('')
    return listed.ok ? listed.value.map(({ path }) => path) : []
  }
  return { whole, pathsOf, folder: prefixedBackend(whole, 'homes/a') }
}

it('reads, lists, changes and moves the documents of its folder, by their paths in it', async () => {
  const { folder, pathsOf } = await setUp()
  expect(await readDocument(folder, 'note')).toMatchObject({ ok: true, value: { bytes: bytes('homes/a/note') } })
  expect(await folder.list('')).toMatchObject({ ok: true, value: [{ path: 'note', size: 12 }, { path: 'x/y' }] })
  expect(await folder.list('x')).toMatchObject({ ok: true, value: [{ path: 'x/y' }] })
  expect(await updateDocument(folder, 'new', (current) => (current ? undefined : bytes('new')))).toMatchObject({ ok: true })
  expect(await moveDocuments(folder, 'x', 'z')).toMatchObject({ ok: true })
  expect(await updateDocument(folder, 'note', () => undefined)).toMatchObject({ ok: true })
  expect(await pathsOf()).toEqual(['homes/a/new', 'homes/a/z/y', 'homes/ab/note', 'homes/b/note', 'note'])
})

it.each(['../b/note', '/note', 'x/../../b/note'])('neither reads nor changes what is outside of its folder: %s', async (path) => {
  const { folder, pathsOf } = await setUp()
  const calls = [
    readDocument(folder, path),
    updateDocument(folder, path, () => undefined),
    folder.list(path),
    moveDocuments(folder, 'note', path),
  ]
  for (const done of await Promise.all(calls)) expect(done).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(await pathsOf()).toEqual(PATHS)
})

it('asks a storage that knows of it for what is left behind in its folder alone', async () => {
  const { whole, folder } = await setUp()
  expect(await folder.removeLeftovers?.('x')).toEqual({ ok: true, value: undefined })
  const asked: string[] = []
  const refused = { ok: false, error: new HermesError('io', 'EIO') } as const
  const removing = prefixedBackend(
    {
      ...whole,
      removeLeftovers: async (prefix) => {
        asked.push(prefix)
        return refused
      },
    },
    'homes/a',
  )
  for (const path of ['', 'x']) expect(await removing.removeLeftovers?.(path)).toEqual(refused)
  expect(await removing.removeLeftovers?.('../b')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(asked).toEqual(['homes/a', 'homes/a/x'])
})

it('passes on what the storage says, and leaves it open', async () => {
  const { folder, whole } = await setUp()
  await folder.close()
  expect((await readDocument(whole, 'note')).ok).toBe(true)
  await whole.close()
  expect(await folder.list('')).toMatchObject({ ok: false, error: { code: 'closed' } })
})
