/** Concurrent writers: no write is lost, and a move never interrupts an update. */
import { describe, expect, it } from 'vitest'
import { appending, entriesAt, unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { codeOf, pathsIn, processesOf, withTree, write } from './with-tree.ts'
import { startWriter } from './writer-process.ts'

/** Milliseconds, for all updates together; on a busy machine each of them takes long. */
const PATIENCE = { timeout: 120_000 }

export const concurrencyPromises = (
  create: CreateStorageHarness,
  { processes, extent, writers: writerCount, updates: updateCount }: Required<StorageCapabilities>,
): void => {
  const total = writerCount * updateCount
  const everyEntry = Array.from({ length: writerCount }, (_, writer) =>
    Array.from({ length: updateCount }, (_, update) => `${writer}-${update}`),
  ).flat()

  describe('concurrency', () => {
    it(`keeps all ${total} updates of one document by ${writerCount} handles in one process`, PATIENCE, () =>
      withTree(create, async ({ storage, open }) => {
        await Promise.all(
          Array.from({ length: writerCount }, async (_, writer) => {
            const handle = await open()
            const updates = Array.from({ length: updateCount }, (_, time) =>
              handle.update('memories/MEMORY.md', appending(`${writer}-${time}`)),
            )
            for (const update of await Promise.all(updates)) unwrap(update)
          }),
        )
        expect([...(await entriesAt(storage, 'memories/MEMORY.md'))].sort()).toEqual([...everyEntry].sort())
      }),
    )

    if (extent === 'wiring') return

    it('keeps updates of many documents apart', () =>
      withTree(create, async ({ storage, open }) => {
        const handles = [storage, await open()]
        const paths = Array.from({ length: 20 }, (_, index) => `sessions/${index}.json`)
        await Promise.all(
          paths.flatMap((path) => handles.map(async (handle, index) => unwrap(await handle.update(path, appending(`${index}`))))),
        )
        for (const path of paths) expect([...(await entriesAt(storage, path))].sort()).toEqual(['0', '1'])
      }))

    it('never lets a reader see half a document', () =>
      withTree(create, async ({ storage, open }) => {
        const other = await open()
        const contents = ['a'.repeat(100_000), 'b'.repeat(10)]
        await write(storage, 'doc', contents[1] ?? '')
        let writing = true
        const writer = (async () => {
          for (let time = 0; time < 40; time++) await write(storage, 'doc', contents[time % 2] ?? '')
          writing = false
        })()
        while (writing) {
          const document = unwrap(await other.read('doc'))
          expect(contents.includes(new TextDecoder().decode(document?.bytes))).toBe(true)
          await new Promise((resolve) => setTimeout(resolve, 0))
        }
        await writer
      }))

    it('moves a folder away between updates, never in the middle of one', () =>
      withTree(create, async ({ storage, open }) => {
        const mover = await open()
        let writing = true
        const moves = (async () => {
          for (let round = 0; writing; round++) {
            expect(['ok', 'not_found']).toContain(codeOf(await mover.move('live', `moved/${round}`)))
            await new Promise((resolve) => setTimeout(resolve, 0))
          }
        })()
        const written: string[] = []
        for (let time = 0; time < 60; time++) {
          unwrap(await storage.update('live/log.json', appending(`${time}`)))
          written.push(`${time}`)
        }
        writing = false
        await moves
        const kept = await Promise.all((await pathsIn(storage, '')).map((path) => entriesAt(storage, path)))
        expect(kept.flat().sort()).toEqual(written.sort())
      }))

    it('lets exactly one of many movers win', () =>
      withTree(create, async ({ storage, open }) => {
        await write(storage, 'prize/a', 'x')
        const handles = await Promise.all(Array.from({ length: 5 }, open))
        const codes = await Promise.all(handles.map(async (handle, index) => codeOf(await handle.move('prize', `winner-${index}`))))
        expect(codes.sort()).toEqual(['not_found', 'not_found', 'not_found', 'not_found', 'ok'])
        expect(await pathsIn(storage, '')).toHaveLength(1)
      }))

    if (!processes) return

    it(`keeps all ${total} updates of one document by ${writerCount} processes`, PATIENCE, () =>
      withTree(create, async ({ storage, harness }) => {
        const shared = processesOf(harness)
        const writers = Array.from({ length: writerCount }, (_, writer) =>
          startWriter({ ...shared, path: 'memories/MEMORY.md', writer: `${writer}`, times: updateCount }),
        )
        await Promise.all(writers.map((writer) => writer.ready))
        for (const writer of writers) writer.go()
        const acknowledged = (await Promise.all(writers.map((writer) => writer.finished))).flat()
        expect([...acknowledged].sort()).toEqual([...everyEntry].sort())
        expect([...(await entriesAt(storage, 'memories/MEMORY.md'))].sort()).toEqual([...everyEntry].sort())
      }),
    )
  })
}
