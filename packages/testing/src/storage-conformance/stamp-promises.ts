/** Stamps in a listing: data derived from a document may be cached while its stamp is unchanged. */
import type { Plan } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, must, type World, withStorage } from './with-storage.ts'

export const stampPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))
  const stampOf = async ({ storage }: World, path: string) => must(await storage.list('')).find((info) => info.path === path)?.stamp

  describe('stamps', () => {
    test('stay while nothing happens, for every back end and every folder that is listed', async (world) => {
      const { storage } = world
      for (const path of ['skills/a/SKILL.md', 'skills/b/SKILL.md', 'top.md']) await world.put({ [path]: path })
      const before = must(await storage.list(''))
      for (const { stamp } of before) expect(stamp).not.toBe('')
      must(await storage.read(['top.md'])).document('top.md')
      expect(must(await storage.list(''))).toEqual(before)
      expect(must(await storage.read(['/'])).list('')).toEqual(before)
      expect(must(await (await world.open()).list(''))).toEqual(before)
      expect(must(await storage.list('skills'))).toEqual(before.filter(({ path }) => path.startsWith('skills/')))
    })

    test('differ after every update that changed a byte, also of the same size, by whichever back end', async (world) => {
      const other = await world.open()
      const stamps = new Set<string | undefined>()
      for (let time = 0; time < 20; time++) {
        const by = time % 2 === 0 ? world.storage : other
        const text = bytes(`text ${time % 10}`)
        must(await by.update(['notes/a.md'], () => ({ put: { 'notes/a.md': text }, value: 0 })))
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
        must(await world.storage.update(['/'], () => ({ ...plan, value: undefined })))
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
