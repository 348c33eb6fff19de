/** Valid document paths, the same on every platform. */
import { storageConformance } from '@hermes/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds, STORAGE_ROUNDS } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { byCodeUnit, checkFolder, checkMove, isBelow, notADocument, nothingAt, occupiedAt } from './document-tree.ts'
import { inMemoryBackend } from './in-memory.ts'
import { moveDocuments, updateDocument } from './one-document.ts'
import type { StoredDocument } from './storage-backend.ts'
import { checkStoragePath } from './storage-paths.ts'

it.each([
  '',
  '/',
  '/a',
  'a/',
  'a//b',
  '.',
  '..',
  'a/..',
  './a',
  'a\\b',
  'C:a',
  'a\u0000',
  'a\u007f',
  'a.',
  'a ',
  'a?',
  '\udfff',
  '\u00e9'.repeat(128),
])('refuses %j and says what a path looks like', (path) => {
  const checked = checkStoragePath(path)
  expect(checked).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(!checked.ok && checked.error.message).toContain('memories/MEMORY.md')
})

it.each([undefined, null, 7, ['a'], {}, Symbol('a')])('refuses a value that is not text: %o', (path) => {
  // Values that JavaScript callers may pass.
  const checked = Reflect.apply(checkStoragePath, undefined, [path])
  expect(checked).toMatchObject({ ok: false, error: { code: 'invalid_path', message: expect.stringContaining(typeof path) } })
})

it('counts bytes, not characters, up to the limits', () => {
  expect(checkStoragePath('x'.repeat(255)).ok).toBe(true)
  expect(checkStoragePath('x'.repeat(256)).ok).toBe(false)
  expect(checkStoragePath(`${'ab/'.repeat(341)}c`).ok).toBe(true)
  expect(checkStoragePath(`${'ab/'.repeat(341)}cd`).ok).toBe(false)
})

it('counts the bytes of a segment up to the limit', () => {
  expect(checkStoragePath(`a/é${'x'.repeat(253)}/b`).ok).toBe(true)
  expect(checkStoragePath(`a/é${'x'.repeat(254)}/b`).ok).toBe(false)
})

it.each([
  ['', 'is empty'],
  ['a/../b', 'leaves its folder'],
  ['a/./b', 'leaves its folder'],
  ['a//b', 'empty segment'],
  ['a./b', 'ends with a dot'],
])('says what is wrong with %j', (path, why) => {
  const checked = checkStoragePath(path)
  expect(!checked.ok && checked.error.message).toContain(why)
})

it('accepts nothing that a URL of the same shape would resolve to somewhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (path) => {
      if (!checkStoragePath(path).ok) return
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      expect(new URL(encoded, 'http://h/').pathname.slice(1).split('/')).toHaveLength(path.split('/').length)
    }),
    { seed: 7, numRuns: rounds(1000) },
  )
})

it('distinguishes the contents of a folder from names with the same beginning', () => {
  expect(isBelow('foo/a', 'foo')).toBe(true)
  expect(isBelow('foo/a/b', 'foo')).toBe(true)
  expect(isBelow('foo', 'foo')).toBe(false)
  expect(isBelow('foobar/a', 'foo')).toBe(false)
  expect(isBelow('anything', '')).toBe(true)
})

it('orders by code units', () => {
  expect(['a/b', '\uff5e', 'a-b', 'B', '\u{1f600}'].sort(byCodeUnit)).toEqual(['B', 'a-b', 'a/b', '\u{1f600}', '\uff5e'])
})

it('tells the smaller from the greater and the same', () => {
  expect([byCodeUnit('a', 'b'), byCodeUnit('b', 'a'), byCodeUnit('a', 'a')]).toEqual([-1, 1, 0])
})

it('names the path in each error', () => {
  for (const [error, code] of [
    [nothingAt('a/b'), 'not_found'],
    [occupiedAt('a/b'), 'occupied'],
    [notADocument('a/b', 'it is a folder'), 'invalid_path'],
  ] as const) {
    expect(error).toMatchObject({ code, details: { path: 'a/b' }, message: expect.stringContaining("'a/b'") })
  }
})

it('takes the empty path as a folder only', () => {
  expect(checkFolder('').ok).toBe(true)
  expect(checkFolder('../x').ok).toBe(false)
  expect(checkMove('', 'a').ok).toBe(false)
})

it('refuses a move into itself, but not to a sibling whose name has the same beginning', () => {
  expect(checkMove('a', 'a/b')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  expect(checkMove('a', 'ab').ok).toBe(true)
  expect(checkMove('a/b', 'a').ok).toBe(true)
})

/** The in-memory back end keeps every promise that is meaningful in one process. */
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
