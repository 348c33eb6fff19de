import { expect, it } from 'vitest'
import { inMemoryBackend } from './in-memory.ts'
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

it('updates several of its documents in one step, and shows and takes their paths in it', async () => {
  const { folder, pathsOf } = await setUp()
  const update = folder.update(['note', 'x/', 'log'], (cut) => ({
    put: { 'x/run': { bytes: bytes('run'), executable: true }, note: null },
    append: { log: bytes('more') },
    move: [['x/y', 'x/z']],
    value: [cut.document('note')?.bytes, cut.list('x').map(({ path }) => path)],
  }))
  expect(await update).toEqual({ ok: true, value: [bytes('homes/a/note'), ['x/y']] })
  expect(await pathsOf()).toEqual(['homes/a/log', 'homes/a/x/run', 'homes/a/x/z', 'homes/ab/note', 'homes/b/note', 'note'])
  expect(await readDocument(folder, 'x/run')).toEqual({ ok: true, value: { bytes: bytes('run'), executable: true } })
  const cut = await folder.read(['/'])
  expect(cut.ok && cut.value.list('').map(({ path }) => path)).toEqual(['log', 'x/run', 'x/z'])
})

it('throws for a plan outside of what was named, in the words of its own paths', async () => {
  const { folder, pathsOf } = await setUp()
  await expect(folder.update(['note'], () => ({ put: { other: bytes('x') }, value: 0 }))).rejects.toThrow("changes 'other'")
  await expect(folder.update(['/'], () => ({ put: { '../b/note': null }, value: 0 }))).rejects.toThrow(TypeError)
  expect(await pathsOf()).toEqual(PATHS)
})

it('passes on what the storage says, and leaves it open', async () => {
  const { folder, whole } = await setUp()
  await folder.close()
  expect((await readDocument(whole, 'note')).ok).toBe(true)
  await whole.close()
  expect(await folder.list('')).toMatchObject({ ok: false, error: { code: 'closed' } })
})
