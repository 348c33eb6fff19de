/** Closing a handle. */
import { describe, expect, it } from 'vitest'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, expectCode, textAt, withTree, write } from './with-tree.ts'

export const closePromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  describe('close', () => {
    it('waits for what is in progress', () =>
      withTree(create, async ({ storage, open }) => {
        let settled = 0
        const updates = Array.from({ length: 10 }, (_, index) =>
          storage
            .update(`doc-${index % 3}`, () => bytes(`${index}`))
            .finally(() => {
              settled++
            }),
        )
        await storage.close()
        expect(settled).toBe(10)
        for (const update of updates) expectCode(await update, 'ok')
        // The port promises no order between calls that were not awaited, so any of them may be the last.
        const reopened = await open()
        expect(['0', '3', '6', '9']).toContain(await textAt(reopened, 'doc-0'))
        expect(['1', '4', '7']).toContain(await textAt(reopened, 'doc-1'))
        expect(['2', '5', '8']).toContain(await textAt(reopened, 'doc-2'))
      }))

    if (extent === 'wiring') return

    it('fails every later call with closed, and closing twice is fine', () =>
      withTree(create, async ({ storage }) => {
        await storage.close()
        await storage.close()
        expectCode(await storage.read('a'), 'closed')
        expectCode(await storage.update('a', () => bytes('x')), 'closed')
        expectCode(await storage.list(''), 'closed')
        expectCode(await storage.move('a', 'b'), 'closed')
      }))

    it('leaves the other handles open', () =>
      withTree(create, async ({ storage, open }) => {
        const other = await open()
        await storage.close()
        await write(other, 'a', 'still here')
        expect(await textAt(other, 'a')).toBe('still here')
      }))
  })
}
