/** What every call refuses: paths that leave the tree, and calls after the end. */

import type { Result } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { codeOf, unwrap } from '../suite.ts'
import { bytes, type CreateStorageHarness, type StorageCapabilities, type World, withStorage } from './storage-test.ts'

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

export const pathCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
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

export const closeCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('close', () => {
    test('waits for what is in progress', async (world) => {
      const storage = await world.open()
      let settled = 0
      const updates = Array.from({ length: 10 }, (_, index) =>
        storage
          .update([`doc-${index % 3}`], () => ({ put: { [`doc-${index % 3}`]: bytes(`${index}`) }, value: index }))
          .finally(() => {
            settled++
          }),
      )
      await storage.close()
      // Who waits for an update hears of it a moment later.
      await new Promise((resolve) => setTimeout(resolve))
      expect(settled).toBe(10)
      for (const [index, update] of updates.entries()) expect(unwrap(await update)).toBe(index)
      // The port promises no order between calls that were not awaited, so any of them may be the last.
      const texts = await world.texts()
      expect(['0', '3', '6', '9']).toContain(texts['doc-0'])
      expect(['1', '4', '7']).toContain(texts['doc-1'])
      expect(['2', '5', '8']).toContain(texts['doc-2'])
    })

    if (extent === 'wiring') return

    test('fails every later call with closed, and closing twice is fine', async (world) => {
      const storage = await world.open()
      await storage.close()
      await storage.close()
      const results = [await storage.read(['a']), await storage.update(['a'], () => ({ value: 0 })), await storage.list('')]
      expect(results.map(codeOf)).toEqual(['closed', 'closed', 'closed'])
    })

    test('leaves the other back ends open', async (world) => {
      await (await world.open()).close()
      await world.put({ a: 'still here' })
      expect(await world.texts()).toEqual({ a: 'still here' })
    })
  })
}
