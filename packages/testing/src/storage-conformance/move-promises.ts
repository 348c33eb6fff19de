/** Moving a document or a folder. */
import { moveDocuments } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { codeOf, must, type World, withStorage } from './with-storage.ts'

export const movePromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a move', () => {
    test('takes a document into folders that did not exist', async (world) => {
      await world.put({ 'a/one.md': 'text' })
      must(await moveDocuments(world.storage, 'a/one.md', 'x/y/two.md'))
      expect(await world.texts()).toEqual({ 'x/y/two.md': 'text' })
    })

    test('takes a folder with everything in it and leaves its siblings', async (world) => {
      await world.put({ 'skills/foo/SKILL.md': 'a', 'skills/foo/references/deep/a': 'b', 'skills/foobar/SKILL.md': 'c' })
      must(await moveDocuments(world.storage, 'skills/foo', 'skills/.archive/foo'))
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
      must(await storage.update(['scripts/run'], () => ({ put, value: 0 })))
      must(await moveDocuments(storage, 'scripts', 'moved'))
      expect(must(await storage.read(['moved/run'])).document('moved/run')?.executable).toBe(true)
    })

    test('takes a folder whose documents are all gone for nothing', async (world) => {
      const { storage } = world
      await world.put({ 'old/deep/a': 'x', 'new/a': 'y' })
      must(await storage.update(['old/deep/a'], () => ({ put: { 'old/deep/a': null }, value: 0 })))
      expect(codeOf(await moveDocuments(storage, 'old', 'elsewhere'))).toBe('not_found')
      expect(must(await storage.read(['old'])).document('old')).toBeUndefined()
      must(await moveDocuments(storage, 'new', 'old'))
      expect(await world.paths()).toEqual(['old/a'])
      must(await moveDocuments(storage, 'old/a', 'new'))
      await world.put({ old: 'now a document' })
      expect(await world.paths()).toEqual(['new', 'old'])
    })
  })
}
