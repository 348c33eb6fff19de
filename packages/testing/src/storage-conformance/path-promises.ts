/** In every method, paths cannot leave the tree. */
import type { Result } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, codeOf, type World, withStorage } from './with-storage.ts'

const invalid = [
  '..',
  '../x',
  'a/../../x',
  '.',
  './a',
  'a/./b',
  '/etc/passwd',
  'a//b',
  '//',
  '../',
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
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('paths', () => {
    test('are names in any script, with spaces and dots inside', async (world) => {
      const paths = [
        '.hidden/..a',
        'notes of today.v1.md',
        '\u65e5\u672c\u8a9e/\u6587\u66f8',
        "it's #1 100% [x] {y} $HOME ~",
        '\u{1f469}\u200d\u{1f4bb}',
      ]
      const documents = Object.fromEntries(paths.map((path) => [path, path]))
      await world.put(documents)
      expect(await world.texts()).toEqual(documents)
    })

    if (extent === 'wiring') return

    test('that are none are refused, in every method', async (world) => {
      const { storage } = world
      await world.put({ a: 'x' })
      for (const path of invalid) {
        expect(codeOf(await storage.read([path]))).toBe('invalid_path')
        expect(codeOf(await storage.read(['a', `${path}/`]))).toBe('invalid_path')
        expect(codeOf(await storage.list(path))).toBe('invalid_path')
        const put = (paths: readonly string[]) => storage.update(paths, () => ({ put: { [path]: bytes('x') }, value: 0 }))
        expect(codeOf(await put([path]))).toBe('invalid_path')
        await expect(put(['/'])).rejects.toThrow(TypeError)
        await expect(storage.update(['/'], () => ({ move: [['a', path]], value: 0 }))).rejects.toThrow(TypeError)
        await expect(storage.update(['/'], () => ({ move: [[path, 'b']], value: 0 }))).rejects.toThrow(TypeError)
      }
      expect(await world.texts()).toEqual({ a: 'x' })
    })

    test('that are no text are refused', async (world) => {
      const { storage } = world
      for (const path of [undefined, null, 7, {}]) {
        // JavaScript callers may pass anything.
        const outcomes: readonly Promise<Result<unknown>>[] = [
          Reflect.apply(storage.read, storage, [[path]]),
          Reflect.apply(storage.read, storage, [path]),
          Reflect.apply(storage.update, storage, [[path], () => ({ value: 0 })]),
          Reflect.apply(storage.list, storage, [path]),
        ]
        for (const outcome of outcomes) expect(codeOf(await outcome)).toBe('invalid_path')
      }
      expect(await world.paths()).toEqual([])
    })

    test('may be empty in list only, for the whole tree', async ({ storage }) => {
      expect(codeOf(await storage.list(''))).toBe('ok')
      expect(codeOf(await storage.read(['']))).toBe('invalid_path')
      expect(codeOf(await storage.update([''], () => ({ value: 0 })))).toBe('invalid_path')
    })
  })
}
