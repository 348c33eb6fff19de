/** What a reader sees. */
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, must, textIn, type World, withStorage } from './with-storage.ts'

export const cutPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a cut', () => {
    test('has the named documents and what is below the named folders, and says what was not named', async (world) => {
      await world.put({ a: 'one', 'foo/a': '1', 'foo/b/c': '2', foobar: '3', 'x.md': '4' })
      const cut = must(await world.storage.read(['a', 'none', 'foo/']))
      expect([textIn(cut, 'a'), textIn(cut, 'none')]).toEqual(['one', undefined])
      expect(cut.list('foo/').map(({ path, size }) => [path, size])).toEqual([
        ['foo/a', 1],
        ['foo/b/c', 1],
      ])
      expect(cut.list('foo/b').map(({ path }) => path)).toEqual(['foo/b/c'])
      expect(() => cut.document('x.md')).toThrow(TypeError)
      expect(() => cut.document('foo/a')).toThrow(/was not named/)
      expect(() => cut.list('')).toThrow(/was not named as a folder/)
      expect(() => cut.list('fo')).toThrow(TypeError)
    })

    test('of the whole tree lists all', async (world) => {
      await world.put({ a: 'one', 'foo/a': '1' })
      const cut = must(await world.storage.read(['/']))
      expect(cut.list('').map(({ path }) => path)).toEqual(['a', 'foo/a'])
      expect(must(await world.storage.list('')).map(({ path }) => path)).toEqual(['a', 'foo/a'])
    })

    if (extent === 'wiring') return

    test('never lies between two documents of an update, whoever reads', async (world) => {
      await world.put({ a: '0', b: '0', 'log/day': '' })
      const reader = await world.open()
      let isDone = false
      const seen: string[] = []
      const reading = (async () => {
        while (!isDone) {
          const cut = must(await reader.read(['a', 'b', 'log/day']))
          const [a, b, log = ''] = [textIn(cut, 'a'), textIn(cut, 'b'), textIn(cut, 'log/day')]
          if (a !== b || String(log.length) !== a) seen.push(`${a} ${b} ${log.length}`)
        }
      })()
      for (let count = 1; count <= 100; count++)
        must(
          await world.storage.update(['a', 'b', 'log/day'], () => ({
            put: { a: bytes(String(count)), b: bytes(String(count)) },
            append: { 'log/day': bytes('.') },
            value: 0,
          })),
        )
      isDone = true
      await reading
      expect(seen).toEqual([])
    })

    test('of many documents is one state of them', async (world) => {
      const paths = Array.from({ length: 40 }, (_, index) => `many/${index}`)
      const putAll = async (text: string) => {
        const put = Object.fromEntries(paths.map((path) => [path, bytes(text)]))
        must(await world.storage.update(paths, () => ({ put, value: 0 })))
      }
      await putAll('0')
      const reader = await world.open()
      let isDone = false
      const seen: string[] = []
      const reading = (async () => {
        while (!isDone) {
          const cut = must(await reader.read(paths))
          const texts = new Set(paths.map((path) => textIn(cut, path)))
          if (texts.size > 1) seen.push([...texts].join(' '))
          // A back end that never waits would let no timer run.
          await new Promise((resolve) => setTimeout(resolve))
        }
      })()
      for (let count = 1; count <= 20; count++) {
        await putAll(String(count))
        // Leaves the reader a moment without an update.
        await new Promise((resolve) => setTimeout(resolve, count % 4))
      }
      isDone = true
      await reading
      expect(seen).toEqual([])
    })

    test('is visible to everybody once the update has resolved', async (world) => {
      const reader = await world.open()
      for (let count = 1; count <= 30; count++) {
        await world.put({ a: String(count), 'folder/b': String(count) })
        const cut = must(await reader.read(['a', 'folder/b']))
        expect([textIn(cut, 'a'), textIn(cut, 'folder/b')]).toEqual([String(count), String(count)])
      }
    })
  })
}
