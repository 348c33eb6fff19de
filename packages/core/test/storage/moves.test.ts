/** Moves that are asked for at once share their locks; each still succeeds or fails by itself. */

import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inTransaction } from '../../src/storage/in-transaction.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const bytes = (text: string) => () => new TextEncoder().encode(text)

const openHome = async (documents: readonly string[]) => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  for (const path of documents) expect(await updateDocument(storage, path, bytes(path))).toMatchObject({ ok: true })
  return { home, storage }
}

const codes = (outcomes: readonly { ok: boolean; error?: { code: string } }[]) => outcomes.map(({ ok, error }) => (ok ? 'ok' : error?.code))

it('lets one of several moves to the same place win, and loses no document', async () => {
  const { home, storage } = await openHome(['a/one', 'b/one', 'c/one'])
  const outcomes = await Promise.all(['a', 'b', 'c'].map((folder) => moveDocuments(storage, `${folder}/one`, 'to/one')))
  expect(codes(outcomes)).toEqual(['ok', 'occupied', 'occupied'])
  expect(readFileSync(join(home, 'to/one'), 'utf8')).toBe('a/one')
  expect(readFileSync(join(home, 'b/one'), 'utf8')).toBe('b/one')
  expect(readFileSync(join(home, 'c/one'), 'utf8')).toBe('c/one')
})

it('reports a missing source and a source outside beside moves that succeed', async () => {
  const { home, storage } = await openHome(['a/one', 'a/two'])
  const outcomes = await Promise.all([
    moveDocuments(storage, 'a/one', 'to/one'),
    moveDocuments(storage, 'a/none', 'to/none'),
    moveDocuments(storage, 'a/two', 'to/two'),
    moveDocuments(storage, 'a/one', 'to/again'),
  ])
  expect(codes(outcomes)).toEqual(['ok', 'not_found', 'ok', 'not_found'])
  expect(readdirSync(join(home, 'to')).sort()).toEqual(['one', 'two'])
})

it('follows a folder that an earlier move of the same moment has moved', async () => {
  const { home, storage } = await openHome(['a/one', 'a/two', 'b/three'])
  const outcomes = await Promise.all([
    moveDocuments(storage, 'a/one', 'b/one'),
    moveDocuments(storage, 'b', 'c'),
    moveDocuments(storage, 'c/one', 'a/back'),
    moveDocuments(storage, 'a/two', 'b/two'),
  ])
  expect(codes(outcomes)).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect(readFileSync(join(home, 'a/back'), 'utf8')).toBe('a/one')
  expect(readFileSync(join(home, 'b/two'), 'utf8')).toBe('a/two')
  expect(readFileSync(join(home, 'c/three'), 'utf8')).toBe('b/three')
})

it('carries out many moves at once, each one whole', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `skill-${index}`)
  const { home, storage } = await openHome(names.map((name) => `from/${name}/SKILL.md`))
  const outcomes = await Promise.all(names.map((name) => moveDocuments(storage, `from/${name}`, `to/${name}`)))
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  expect(readdirSync(join(home, 'to')).sort()).toEqual(names.toSorted())
})

it('leaves no lock file behind in the folder that was moved, where it would be a document', async () => {
  const { home, storage } = await openHome(['memories/MEMORY.md', 'memories/notes/one'])
  expect(readdirSync(join(home, 'memories'))).toContain('MEMORY.md.lock')
  expect(await moveDocuments(storage, 'memories', 'old/memories')).toMatchObject({ ok: true })
  expect(filesOnDisk(join(home, 'old/memories'))).toEqual(['MEMORY.md', 'notes', 'notes/one'])
  expect(await storage.list('')).toMatchObject({ value: [{ path: 'old/memories/MEMORY.md' }, { path: 'old/memories/notes/one' }] })
})

it('moves no folder without documents, and replaces one', async () => {
  const { home, storage } = await openHome(['a/one', 'b/two'])
  for (const folder of ['empty', 'to', 'into/deep']) mkdirSync(join(home, folder), { recursive: true })
  expect(await moveDocuments(storage, 'empty', 'c')).toMatchObject({ ok: false, error: { code: 'not_found' } })
  expect(await moveDocuments(storage, 'a/one', 'to')).toMatchObject({ ok: true })
  expect(await moveDocuments(storage, 'b', 'into')).toMatchObject({ ok: true })
  expect(readFileSync(join(home, 'to'), 'utf8')).toBe('a/one')
  expect(readFileSync(join(home, 'into/two'), 'utf8')).toBe('b/two')
})

it('never moves a folder into itself through a link', async () => {
  const { home, storage } = await openHome(['a/one'])
  symlinkSync(join(home, 'a'), join(home, 'link'))
  expect(await moveDocuments(storage, 'a', 'link/below')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(readFileSync(join(home, 'a/one'), 'utf8')).toBe('a/one')
})

it('lets a transaction write into a folder that it has moved', async () => {
  const { home, storage } = await openHome(['from/one/SKILL.md'])
  const done = await inTransaction(storage, async (over) => {
    const moved = await moveDocuments(over, 'from/one', 'to/one')
    return moved.ok ? updateDocument(over, 'to/one/references/api.md', bytes('new')) : moved
  })
  expect(done).toMatchObject({ ok: true })
  expect(readFileSync(join(home, 'to/one/SKILL.md'), 'utf8')).toBe('from/one/SKILL.md')
  expect(readFileSync(join(home, 'to/one/references/api.md'), 'utf8')).toBe('new')
})
