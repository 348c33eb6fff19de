/** Stamps in a listing: data derived from a document may be cached while its stamp is unchanged. */
import { describe, expect, it } from 'vitest'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { withTree, write } from './with-tree.ts'

const stampOf = async (storage: StorageBackend, path: string): Promise<string | undefined> =>
  unwrap(await storage.list('')).find((document) => document.path === path)?.stamp

export const stampPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  describe('stamps', () => {
    it('stay while nothing happens, for every handle and every folder that is listed', () =>
      withTree(create, async ({ storage, open }) => {
        for (const path of ['skills/a/SKILL.md', 'skills/b/SKILL.md', 'top.md']) await write(storage, path, path)
        const before = unwrap(await storage.list(''))
        for (const { stamp } of before) expect(stamp).not.toBe('')
        await storage.read('top.md')
        expect(unwrap(await storage.list(''))).toEqual(before)
        expect(unwrap(await (await open()).list(''))).toEqual(before)
        expect(unwrap(await storage.list('skills'))).toEqual(before.filter(({ path }) => path.startsWith('skills/')))
      }))

    it('differ after every update that changed a byte, also of the same size, by whichever handle', () =>
      withTree(create, async ({ storage, open }) => {
        const other = await open()
        const stamps = new Set<string | undefined>()
        for (let time = 0; time < 20; time++) {
          await write(time % 2 === 0 ? storage : other, 'notes/a.md', `text ${time % 10}`)
          stamps.add(await stampOf(storage, 'notes/a.md'))
        }
        expect(stamps.size).toBe(20)
        expect(stamps).not.toContain(undefined)
      }))

    if (extent === 'wiring') return

    it('leave the other documents alone', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'notes/a.md', 'a')
        await write(storage, 'notes/b.md', 'b')
        const before = await stampOf(storage, 'notes/a.md')
        await write(storage, 'notes/b.md', 'c')
        expect(await stampOf(storage, 'notes/a.md')).toBe(before)
      }))

    it('differ once a document was removed and written again, or another moved into its place', () =>
      withTree(create, async ({ storage }) => {
        const stamps: (string | undefined)[] = []
        const note = async () => stamps.push(await stampOf(storage, 'live/doc'))
        await write(storage, 'live/doc', 'text')
        await note()
        unwrap(await storage.update('live/doc', () => undefined))
        await write(storage, 'live/doc', 'text')
        await note()
        unwrap(await storage.move('live', 'away'))
        expect(await stampOf(storage, 'live/doc')).toBeUndefined()
        await write(storage, 'live/doc', 'text')
        await note()
        await write(storage, 'other/doc', 'text')
        unwrap(await storage.move('live', 'gone'))
        unwrap(await storage.move('other', 'live'))
        await note()
        expect(new Set(stamps).size).toBe(4)
      }))
  })
}
