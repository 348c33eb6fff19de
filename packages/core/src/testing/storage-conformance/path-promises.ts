/** In every method, paths cannot leave the tree. */
import { describe, expect, it } from 'vitest'
import type { Result } from '../../shared/result.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, expectCode, pathsIn, textAt, withTree, write } from './with-tree.ts'

const invalid = [
  '..',
  '../x',
  'a/../../x',
  '.',
  './a',
  'a/./b',
  '/etc/passwd',
  'a//b',
  'a/',
  'C:/x',
  'a\\b',
  'a\u0000b',
  'a\nb',
  'a.',
  'a /b',
  '\ud800',
  'x'.repeat(256),
  Array.from({ length: 200 }, () => 'folder').join('/'),
]

export const pathPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  describe('paths', () => {
    it('takes names in any script, spaces and dots inside included', () =>
      withTree(create, async ({ storage }) => {
        const paths = [
          '.hidden/..a',
          'notes of today.v1.md',
          '\u65e5\u672c\u8a9e/\u6587\u66f8',
          "it's #1 100% [x] {y} $HOME ~",
          '\u{1f469}\u200d\u{1f4bb}',
        ]
        for (const path of paths) await write(storage, path, path)
        for (const path of paths) expect(await textAt(storage, path)).toBe(path)
        expect(await pathsIn(storage, '')).toHaveLength(paths.length)
      }))

    if (extent === 'wiring') return

    it('refuses every path that is not one, in every method', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'a', 'x')
        for (const path of invalid) {
          expectCode(await storage.read(path), 'invalid_path')
          expectCode(await storage.update(path, () => bytes('x')), 'invalid_path')
          expectCode(await storage.list(path), 'invalid_path')
          expectCode(await storage.move(path, 'b'), 'invalid_path')
          expectCode(await storage.move('a', path), 'invalid_path')
        }
        expect(await pathsIn(storage, '')).toEqual(['a'])
      }))

    it('answers invalid_path for a value that is not text', () =>
      withTree(create, async ({ storage }) => {
        for (const path of [undefined, null, 7, ['a'], {}]) {
          // JavaScript callers may pass anything.
          for (const method of [storage.read, storage.update, storage.list, storage.move]) {
            const outcome: Result<unknown> = await Reflect.apply(method, storage, [path, method === storage.move ? 'b' : () => bytes('x')])
            expectCode(outcome, 'invalid_path')
          }
          expectCode(await Reflect.apply(storage.move, storage, ['a', path]), 'invalid_path')
        }
        expect(await pathsIn(storage, '')).toEqual([])
      }))

    it('takes the empty path for the whole tree in list only', () =>
      withTree(create, async ({ storage }) => {
        expectCode(await storage.list(''), 'ok')
        expectCode(await storage.read(''), 'invalid_path')
        expectCode(await storage.update('', () => bytes('x')), 'invalid_path')
        expectCode(await storage.move('', 'b'), 'invalid_path')
      }))
  })
}
