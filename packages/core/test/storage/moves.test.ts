/** Moves that are asked for at once share their locks; each still succeeds or fails by itself. */

import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inTransaction } from '../../src/storage/in-transaction.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const bytes = (text: string) => () => new TextEncoder().encode(text)

const openHome = async (documents: readonly string[]) => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home)
  for (const path of documents) expect(await updateDocument(storage, path, bytes(path))).toMatchObject({ ok: true })
  return { home, storage }
}

const codes = (outcomes: readonly { ok: boolean; error?: { code: string } }[]) => outcomes.map(({ ok, error }) => (ok ? 'ok' : error?.code))

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
