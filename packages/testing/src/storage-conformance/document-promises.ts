/** What a document may hold, and what a write that need not be durable still promises. */
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, must, textIn, type World, withStorage } from './with-storage.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

export const documentPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a document', () => {
    test('keeps every byte, none, and a megabyte', async ({ storage }) => {
      const large = Uint8Array.from({ length: 1024 * 1024 }, (_, index) => (index * 31) % 256)
      const put = { all: everyByte, empty: new Uint8Array(), large }
      must(await storage.update(Object.keys(put), () => ({ put, value: 0 })))
      const cut = must(await storage.read(Object.keys(put)))
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
      must(await world.storage.update(['a', 'b'], () => ({ put: { a: mine }, append: { b: mine }, value: 0 })))
      mine.fill(0)
      const cut = must(await world.storage.read(['a', 'b']))
      for (const path of ['a', 'b']) cut.document(path)?.bytes.fill(0)
      expect(await world.texts()).toEqual({ a: 'safe', b: 'safe' })
    })

    test('goes, and one that is missing may go too', async (world) => {
      const remove = () => world.storage.update(['a/b'], () => ({ put: { 'a/b': null }, value: 0 }))
      await world.put({ 'a/b': 'x' })
      must(await remove())
      expect(must(await world.storage.read(['a/b'])).document('a/b')).toBeUndefined()
      must(await remove())
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
        ).map(must)
        expect(others).toEqual([first, first, first])
        expect((await world.texts())[path]).toBe(first)
      }
      const append = (by: typeof storage, text: string, options?: { durable: boolean }) =>
        by.update(['log'], (cut) => ({ put: { log: bytes(`${textIn(cut, 'log') ?? ''}${text}`) }, value: 0 }), options)
      for (const each of await Promise.all([append(storage, 'a', sooner), append(other, 'b'), append(other, 'c', sooner)])) must(each)
      expect([...((await world.texts())['log'] ?? '')].toSorted().join('')).toBe('abc')
      must(await other.update(['log'], () => ({ put: { log: null }, value: 0 }), sooner))
      expect(must(await storage.read(['log'])).document('log')).toBeUndefined()
    })
  })
}
