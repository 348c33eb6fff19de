/** Moving a document or a folder. */
import { describe, expect, it } from 'vitest'
import { unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { expectCode, pathsIn, textAt, withTree, write } from './with-tree.ts'

export const movePromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  describe('move', () => {
    it('moves a document, into folders that did not exist', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'a/one.md', 'text')
        unwrap(await storage.move('a/one.md', 'x/y/two.md'))
        expect(await pathsIn(storage, '')).toEqual(['x/y/two.md'])
        expect(await textAt(storage, 'x/y/two.md')).toBe('text')
        expect(await textAt(storage, 'a/one.md')).toBeUndefined()
      }))

    it('moves a folder with everything in it and leaves its siblings', () =>
      withTree(create, async ({ storage }) => {
        for (const path of ['skills/foo/SKILL.md', 'skills/foo/references/deep/a', 'skills/foobar/SKILL.md'])
          await write(storage, path, path)
        unwrap(await storage.move('skills/foo', 'skills/.archive/foo'))
        expect(await pathsIn(storage, '')).toEqual([
          'skills/.archive/foo/SKILL.md',
          'skills/.archive/foo/references/deep/a',
          'skills/foobar/SKILL.md',
        ])
        expect(await textAt(storage, 'skills/.archive/foo/references/deep/a')).toBe('skills/foo/references/deep/a')
      }))

    if (extent === 'wiring') return

    it('refuses an occupied target and moves nothing', () =>
      withTree(create, async ({ storage }) => {
        for (const path of ['from/a', 'folder/b', 'document']) await write(storage, path, path)
        for (const target of ['folder', 'document', 'folder/b', 'from']) {
          expectCode(await storage.move('from', target), 'occupied')
          expectCode(await storage.move('from/a', target), 'occupied')
        }
        expect(await pathsIn(storage, '')).toEqual(['document', 'folder/b', 'from/a'])
        expect(await textAt(storage, 'document')).toBe('document')
      }))

    it('fails with not_found if nothing is', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'foobar', 'x')
        expectCode(await storage.move('foo', 'bar'), 'not_found')
        expectCode(await storage.move('nowhere/at/all', 'bar'), 'not_found')
      }))

    it('refuses to move a folder into itself', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'a/b', 'x')
        expectCode(await storage.move('a', 'a/c'), 'invalid_path')
        expect(await pathsIn(storage, '')).toEqual(['a/b'])
      }))

    it('takes a folder whose documents are all gone for nothing', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'old/deep/a', 'x')
        await write(storage, 'new/a', 'y')
        await storage.update('old/deep/a', () => undefined)
        expectCode(await storage.move('old', 'elsewhere'), 'not_found')
        expect(unwrap(await storage.read('old'))).toBeUndefined()
        unwrap(await storage.move('new', 'old'))
        expect(await pathsIn(storage, '')).toEqual(['old/a'])
        unwrap(await storage.move('old/a', 'new'))
        await write(storage, 'old', 'now a document')
        expect(await pathsIn(storage, '')).toEqual(['new', 'old'])
      }))
  })
}
