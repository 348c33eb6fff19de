/** Closing a back end. */
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, codeOf, must, type World, withStorage } from './with-storage.ts'

export const closePromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
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
      for (const [index, update] of updates.entries()) expect(must(await update)).toBe(index)
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
