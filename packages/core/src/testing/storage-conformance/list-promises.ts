/** Listing the documents below a folder, in the same order on every machine. */
import { describe, expect, it } from 'vitest'
import { ok } from '../../shared/result.ts'
import { unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { pathsIn, withTree, write } from './with-tree.ts'

export const listPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  describe('list', () => {
    it('is empty for an empty tree and for a folder that does not exist', () =>
      withTree(create, async ({ storage }) => {
        expect(await pathsIn(storage, '')).toEqual([])
        expect(await pathsIn(storage, 'nowhere/at/all')).toEqual([])
      }))

    it('lists every document below a folder at any depth, with its size in bytes', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'skills/deploy/SKILL.md', 'é')
        await write(storage, 'skills/deploy/references/a/b.md', '')
        await write(storage, 'top.md', 'x')
        expect(unwrap(await storage.list('skills')).map(({ path, size }) => ({ path, size }))).toEqual([
          { path: 'skills/deploy/SKILL.md', size: 2 },
          { path: 'skills/deploy/references/a/b.md', size: 0 },
        ])
        expect(await pathsIn(storage, '')).toEqual(['skills/deploy/SKILL.md', 'skills/deploy/references/a/b.md', 'top.md'])
      }))

    if (extent === 'wiring') return

    it('lists the same documents after what killed writers left was removed, if the back end offers that', () =>
      withTree(create, async ({ storage }) => {
        const paths = ['notes/.hidden', 'notes/a', 'notes/deep/b', 'top.md']
        for (const path of paths) await write(storage, path, path)
        for (const prefix of ['notes', 'nowhere', '']) unwrap((await storage.removeLeftovers?.(prefix)) ?? ok(undefined))
        expect(await pathsIn(storage, '')).toEqual(paths)
      }))

    it('takes a prefix as a folder: neither siblings with the same beginning nor the document itself', () =>
      withTree(create, async ({ storage }) => {
        for (const path of ['foo/a', 'foo/b/c', 'foobar/a', 'foo-1', 'fo', 'single']) await write(storage, path, path)
        expect(await pathsIn(storage, 'foo')).toEqual(['foo/a', 'foo/b/c'])
        expect(await pathsIn(storage, 'foo/b')).toEqual(['foo/b/c'])
        expect(await pathsIn(storage, 'single')).toEqual([])
      }))

    it('sorts by the code units of the whole path', () =>
      withTree(create, async ({ storage }) => {
        // Sorted by code units. Sorting by UTF-8 bytes, by locale or folder by folder would give another order.
        const sorted = ['B', 'a-b', 'a/b', 'a/c', 'a0', 'b', '\u00e9', '\u{1f600}', '\uff5e']
        for (const path of [...sorted].reverse()) await write(storage, path, 'x')
        expect(await pathsIn(storage, '')).toEqual(sorted)
      }))

    it('shows hidden documents, and nothing that is not one', () =>
      withTree(create, async ({ storage }) => {
        for (const path of ['memories/MEMORY.md', 'memories/.provenance.json', 'skills/.usage.json', 'skills/.archive/a/SKILL.md']) {
          await write(storage, path, 'x')
        }
        expect(await pathsIn(storage, '')).toEqual([
          'memories/.provenance.json',
          'memories/MEMORY.md',
          'skills/.archive/a/SKILL.md',
          'skills/.usage.json',
        ])
      }))
  })
}
