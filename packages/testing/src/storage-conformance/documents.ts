/** What a document may hold, and how documents are listed and moved. */

import { moveDocuments } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import { codeOf, unwrap } from '../suite.ts'
import { bytes, type CreateStorageHarness, type StorageCapabilities, textIn, type World, withStorage } from './storage-test.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

export const documentCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a document', () => {
    test('keeps every byte, none, and a megabyte', async ({ storage }) => {
      const large = Uint8Array.from({ length: 1024 * 1024 }, (_, index) => (index * 31) % 256)
      const put = { all: everyByte, empty: new Uint8Array(), large }
      unwrap(await storage.update(Object.keys(put), () => ({ put, value: 0 })))
      const cut = unwrap(await storage.read(Object.keys(put)))
      for (const [path, content] of Object.entries(put)) {
        const kept = cut.document(path)?.bytes
        expect(kept?.length).toBe(content.length)
        expect(content.every((byte, index) => kept?.[index] === byte)).toBe(true)
      }
    })

    if (extent === 'wiring') return

    test('shares no bytes with the buffer that it came from, nor with a cut', async (world) => {
      // A Buffer shares its bytes with its slices.
      const mine = typeof Buffer === 'undefined' ? bytes('safe') : Buffer.from('safe')
      unwrap(await world.storage.update(['a', 'b'], () => ({ put: { a: mine }, append: { b: mine }, value: 0 })))
      mine.fill(0)
      const cut = unwrap(await world.storage.read(['a', 'b']))
      for (const path of ['a', 'b']) cut.document(path)?.bytes.fill(0)
      expect(await world.texts()).toEqual({ a: 'safe', b: 'safe' })
    })

    test('goes, and one that is missing may go too', async (world) => {
      const remove = () => world.storage.update(['a/b'], () => ({ put: { 'a/b': null }, value: 0 }))
      await world.put({ 'a/b': 'x' })
      unwrap(await remove())
      expect(unwrap(await world.storage.read(['a/b'])).document('a/b')).toBeUndefined()
      unwrap(await remove())
      expect(await world.paths()).toEqual([])
    })
  })

  if (extent === 'wiring') return

  describe('an update that need not be durable', () => {
    test('is seen by others, and none of several at once gets lost', async (world) => {
      const { storage } = world
      const other = await world.open()
      const sooner = { durable: false }
      const begin = (by: typeof storage, path: string, text: string, options: { durable: boolean; claim?: boolean }) =>
        by.update(
          [path],
          (cut) => {
            const there = textIn(cut, path)
            return there === undefined ? { put: { [path]: bytes(text) }, value: text } : { value: there }
          },
          options,
        )
      for (const [path, options] of [
        ['begun', sooner],
        ...Array.from({ length: 10 }, (_, index) => [`claimed/${index}`, { ...sooner, claim: true }] as const),
      ] as const) {
        const [first, ...others] = (
          await Promise.all(
            [storage, other, storage, other].map((by, index) => begin(by, path, `${'of some length '.repeat(index)}${index}`, options)),
          )
        ).map(unwrap)
        expect(others).toEqual([first, first, first])
        expect((await world.texts())[path]).toBe(first)
      }
      const append = (by: typeof storage, text: string, options?: { durable: boolean }) =>
        by.update(['log'], (cut) => ({ put: { log: bytes(`${textIn(cut, 'log') ?? ''}${text}`) }, value: 0 }), options)
      for (const each of await Promise.all([append(storage, 'a', sooner), append(other, 'b'), append(other, 'c', sooner)])) unwrap(each)
      expect([...((await world.texts())['log'] ?? '')].toSorted().join('')).toBe('abc')
      unwrap(await other.update(['log'], () => ({ put: { log: null }, value: 0 }), sooner))
      expect(unwrap(await storage.read(['log'])).document('log')).toBeUndefined()
    })
  })
}

/** The paths as text of documents at them. */
const atThemselves = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, path]))

export const listCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('list', () => {
    const pathsIn = async ({ storage }: World, folder: string) => unwrap(await storage.list(folder)).map(({ path }) => path)

    test('is empty for an empty tree and for a folder that does not exist', async (world) => {
      expect(await pathsIn(world, '')).toEqual([])
      expect(await pathsIn(world, 'nowhere/at/all')).toEqual([])
      expect(unwrap(await world.storage.read(['nowhere/'])).list('nowhere')).toEqual([])
    })

    test('lists every document below a folder at any depth, with its size in bytes', async (world) => {
      await world.put({ 'skills/deploy/SKILL.md': 'é', 'skills/deploy/references/a/b.md': '', 'top.md': 'x' })
      expect(unwrap(await world.storage.list('skills')).map(({ path, size }) => ({ path, size }))).toEqual([
        { path: 'skills/deploy/SKILL.md', size: 2 },
        { path: 'skills/deploy/references/a/b.md', size: 0 },
      ])
      expect(await pathsIn(world, '')).toEqual(['skills/deploy/SKILL.md', 'skills/deploy/references/a/b.md', 'top.md'])
    })

    if (extent === 'wiring') return

    test('takes a prefix as a folder: neither siblings with the same beginning nor the document itself', async (world) => {
      await world.put(atThemselves(['foo/a', 'foo/b/c', 'foobar/a', 'foo-1', 'fo', 'single']))
      expect(await pathsIn(world, 'foo')).toEqual(['foo/a', 'foo/b/c'])
      expect(await pathsIn(world, 'foo/b')).toEqual(['foo/b/c'])
      expect(await pathsIn(world, 'single')).toEqual([])
    })

    test('lists a document once if a cut names a folder and another one within it', async (world) => {
      await world.put(atThemselves(['a/b/c', 'a/d', 'e']))
      const cut = unwrap(await world.storage.read(['a/b/', '/', 'a/', 'e']))
      expect([cut.list('a/b'), cut.list('a'), cut.list('')].map((infos) => infos.map(({ path }) => path))).toEqual([
        ['a/b/c'],
        ['a/b/c', 'a/d'],
        ['a/b/c', 'a/d', 'e'],
      ])
    })

    test('sorts by the code units of the whole path, as a cut does', async (world) => {
      // Sorted by code units. Sorting by UTF-8 bytes, by locale or folder by folder would give another order.
      const sorted = ['B', 'a-b', 'a/b', 'a/c', 'a0', 'b', '\u00e9', '\u{1f600}', '\uff5e']
      for (const path of sorted.toReversed()) await world.put({ [path]: 'x' })
      expect(await pathsIn(world, '')).toEqual(sorted)
      expect(
        unwrap(await world.storage.read(['/']))
          .list('')
          .map(({ path }) => path),
      ).toEqual(sorted)
    })

    test('shows hidden documents, and nothing that is not one', async (world) => {
      const paths = ['memories/.facts.jsonl', 'memories/MEMORY.md', 'skills/.archive/a/SKILL.md', 'skills/.usage.json']
      for (const path of paths) await world.put({ [path]: 'x' })
      expect(await pathsIn(world, '')).toEqual(paths)
    })
  })
}

export const moveCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a move', () => {
    test('takes a document into folders that did not exist', async (world) => {
      await world.put({ 'a/one.md': 'text' })
      unwrap(await moveDocuments(world.storage, 'a/one.md', 'x/y/two.md'))
      expect(await world.texts()).toEqual({ 'x/y/two.md': 'text' })
    })

    test('takes a folder with everything in it and leaves its siblings', async (world) => {
      await world.put({ 'skills/foo/SKILL.md': 'a', 'skills/foo/references/deep/a': 'b', 'skills/foobar/SKILL.md': 'c' })
      unwrap(await moveDocuments(world.storage, 'skills/foo', 'skills/.archive/foo'))
      expect(await world.texts()).toEqual({
        'skills/.archive/foo/SKILL.md': 'a',
        'skills/.archive/foo/references/deep/a': 'b',
        'skills/foobar/SKILL.md': 'c',
      })
    })

    if (extent === 'wiring') return

    test('is refused if anything is at or below its target, also at a part of its own folder', async (world) => {
      const before = { 'from/a': '1', 'folder/b': '2', document: '3' }
      await world.put(before)
      for (const target of ['folder', 'document', 'folder/b'])
        expect(codeOf(await moveDocuments(world.storage, 'from', target))).toBe('occupied')
      for (const target of ['folder', 'document', 'folder/b', 'from'])
        expect(codeOf(await moveDocuments(world.storage, 'from/a', target))).toBe('occupied')
      expect(await world.texts()).toEqual(before)
    })

    test('finds nothing where only another name begins like it', async (world) => {
      await world.put({ foobar: 'x' })
      expect(codeOf(await moveDocuments(world.storage, 'foo', 'bar'))).toBe('not_found')
      expect(codeOf(await moveDocuments(world.storage, 'nowhere/at/all', 'bar'))).toBe('not_found')
    })

    test('keeps what is executable so', async ({ storage }) => {
      const put = { 'scripts/run': { bytes: new Uint8Array([1]), executable: true } }
      unwrap(await storage.update(['scripts/run'], () => ({ put, value: 0 })))
      unwrap(await moveDocuments(storage, 'scripts', 'moved'))
      expect(unwrap(await storage.read(['moved/run'])).document('moved/run')?.executable).toBe(true)
    })

    test('takes a folder whose documents are all gone for nothing', async (world) => {
      const { storage } = world
      await world.put({ 'old/deep/a': 'x', 'new/a': 'y' })
      unwrap(await storage.update(['old/deep/a'], () => ({ put: { 'old/deep/a': null }, value: 0 })))
      expect(codeOf(await moveDocuments(storage, 'old', 'elsewhere'))).toBe('not_found')
      expect(unwrap(await storage.read(['old'])).document('old')).toBeUndefined()
      unwrap(await moveDocuments(storage, 'new', 'old'))
      expect(await world.paths()).toEqual(['old/a'])
      unwrap(await moveDocuments(storage, 'old/a', 'new'))
      await world.put({ old: 'now a document' })
      expect(await world.paths()).toEqual(['new', 'old'])
    })
  })
}
