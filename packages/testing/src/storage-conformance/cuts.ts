/** What a reader sees: one state of all that it names, and stamps by which derived data may be cached. */

import type { Plan } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import { unwrap } from '../suite.ts'
import { bytes, type CreateStorageHarness, type StorageCapabilities, textIn, type World, withStorage } from './storage-test.ts'

export const cutCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a cut', () => {
    test('has the named documents and what is below the named folders, and says what was not named', async (world) => {
      await world.put({ a: 'one', 'foo/a': '1', 'foo/b/c': '2', foobar: '3', 'x.md': '4' })
      const cut = unwrap(await world.storage.read(['a', 'none', 'foo/']))
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
      const cut = unwrap(await world.storage.read(['/']))
      expect(cut.list('').map(({ path }) => path)).toEqual(['a', 'foo/a'])
      expect(unwrap(await world.storage.list('')).map(({ path }) => path)).toEqual(['a', 'foo/a'])
    })

    if (extent === 'wiring') return

    test('never lies between two documents of an update, whoever reads', async (world) => {
      await world.put({ a: '0', b: '0', 'log/day': '' })
      const reader = await world.open()
      let isDone = false
      const seen: string[] = []
      const reading = (async () => {
        while (!isDone) {
          const cut = unwrap(await reader.read(['a', 'b', 'log/day']))
          const [a, b, log = ''] = [textIn(cut, 'a'), textIn(cut, 'b'), textIn(cut, 'log/day')]
          if (a !== b || String(log.length) !== a) seen.push(`${a} ${b} ${log.length}`)
        }
      })()
      for (let count = 1; count <= 100; count++)
        unwrap(
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
        unwrap(await world.storage.update(paths, () => ({ put, value: 0 })))
      }
      await putAll('0')
      const reader = await world.open()
      let isDone = false
      const seen: string[] = []
      const reading = (async () => {
        while (!isDone) {
          const cut = unwrap(await reader.read(paths))
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
        const cut = unwrap(await reader.read(['a', 'folder/b']))
        expect([textIn(cut, 'a'), textIn(cut, 'folder/b')]).toEqual([String(count), String(count)])
      }
    })
  })
}

export const stampCases = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))
  const stampOf = async ({ storage }: World, path: string) => unwrap(await storage.list('')).find((info) => info.path === path)?.stamp

  describe('stamps', () => {
    test('stay while nothing happens, for every back end and every folder that is listed', async (world) => {
      const { storage } = world
      for (const path of ['skills/a/SKILL.md', 'skills/b/SKILL.md', 'top.md']) await world.put({ [path]: path })
      const before = unwrap(await storage.list(''))
      for (const { stamp } of before) expect(stamp).not.toBe('')
      unwrap(await storage.read(['top.md'])).document('top.md')
      expect(unwrap(await storage.list(''))).toEqual(before)
      expect(unwrap(await storage.read(['/'])).list('')).toEqual(before)
      expect(unwrap(await (await world.open()).list(''))).toEqual(before)
      expect(unwrap(await storage.list('skills'))).toEqual(before.filter(({ path }) => path.startsWith('skills/')))
    })

    test('differ after every update that changed a byte, also of the same size, by whichever back end', async (world) => {
      const other = await world.open()
      const stamps = new Set<string | undefined>()
      for (let time = 0; time < 20; time++) {
        const by = time % 2 === 0 ? world.storage : other
        const text = bytes(`text ${time % 10}`)
        unwrap(await by.update(['notes/a.md'], () => ({ put: { 'notes/a.md': text }, value: 0 })))
        stamps.add(await stampOf(world, 'notes/a.md'))
      }
      expect(stamps.size).toBe(20)
      expect(stamps).not.toContain(undefined)
    })

    if (extent === 'wiring') return

    test('leave the other documents alone', async (world) => {
      await world.put({ 'notes/a.md': 'a', 'notes/b.md': 'b' })
      const before = await stampOf(world, 'notes/a.md')
      await world.put({ 'notes/b.md': 'c' })
      expect(await stampOf(world, 'notes/a.md')).toBe(before)
    })

    test('differ once a document was removed and written again, or another moved into its place', async (world) => {
      const stamps: (string | undefined)[] = []
      const note = async () => stamps.push(await stampOf(world, 'live/doc'))
      const change = async (plan: Omit<Plan<unknown>, 'value'>) =>
        unwrap(await world.storage.update(['/'], () => ({ ...plan, value: undefined })))
      await world.put({ 'live/doc': 'text' })
      await note()
      await change({ put: { 'live/doc': null } })
      await world.put({ 'live/doc': 'text' })
      await note()
      await change({ move: [['live', 'away']] })
      expect(await stampOf(world, 'live/doc')).toBeUndefined()
      await world.put({ 'live/doc': 'text' })
      await note()
      await world.put({ 'other/doc': 'text' })
      await change({
        move: [
          ['live', 'gone'],
          ['other', 'live'],
        ],
      })
      await note()
      expect(new Set(stamps).size).toBe(4)
    })
  })
}
