/** Listing the documents below a folder, in the same order on every machine. */
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { must, type World, withStorage } from './with-storage.ts'

/** The paths as text of documents at them. */
const atThemselves = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, path]))

export const listPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('list', () => {
    const pathsIn = async ({ storage }: World, folder: string) => must(await storage.list(folder)).map(({ path }) => path)

    test('is empty for an empty tree and for a folder that does not exist', async (world) => {
      expect(await pathsIn(world, '')).toEqual([])
      expect(await pathsIn(world, 'nowhere/at/all')).toEqual([])
      expect(must(await world.storage.read(['nowhere/'])).list('nowhere')).toEqual([])
    })

    test('lists every document below a folder at any depth, with its size in bytes', async (world) => {
      await world.put({ 'skills/deploy/SKILL.md': 'é', 'skills/deploy/references/a/b.md': '', 'top.md': 'x' })
      expect(must(await world.storage.list('skills')).map(({ path, size }) => ({ path, size }))).toEqual([
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
      const cut = must(await world.storage.read(['a/b/', '/', 'a/', 'e']))
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
        must(await world.storage.read(['/']))
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
