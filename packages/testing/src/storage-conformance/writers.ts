/** Many writers, in one process and in several, and writers that are killed: no acknowledged update is lost, and none is half done. */

import { moveDocuments } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import { requireOpenInChild, startChild } from '../child-process.ts'
import { codeOf, unwrap } from '../suite.ts'
import { appendEntry, entriesAt } from './entry-log.ts'
import { type CreateStorageHarness, type StorageCapabilities, type World, withStorage } from './storage-test.ts'
import type { WriterTask } from './writer-main.ts'

/** Milliseconds, for all updates together; on a busy machine each of them takes long. */
const PATIENCE = { timeout: 120_000 }
const PATH = 'memories/MEMORY.md'

const startWriter = (task: WriterTask) => startChild<WriterTask>('storage-conformance/writer-main', task)

export const concurrencyCases = (
  create: CreateStorageHarness,
  { processes, extent, writers: writerCount, updates: updateCount }: Required<StorageCapabilities>,
): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, PATIENCE, withStorage(create, run))
  const total = writerCount * updateCount
  const everyEntry = Array.from({ length: writerCount }, (_, writer) =>
    Array.from({ length: updateCount }, (_, update) => `${writer}-${update}`),
  )
    .flat()
    .toSorted()

  describe('concurrency', () => {
    test(`keeps all ${total} updates of one document by ${writerCount} back ends in one process`, async (world) => {
      await Promise.all(
        Array.from({ length: writerCount }, async (_, writer) => {
          const storage = await world.open()
          const updates = Array.from({ length: updateCount }, (_, time) => appendEntry(storage, PATH, `${writer}-${time}`))
          for (const update of await Promise.all(updates)) unwrap(update)
        }),
      )
      expect((await entriesAt(world.storage, PATH)).toSorted()).toEqual(everyEntry)
    })

    if (extent === 'wiring') return

    test('keeps updates of many documents apart', async (world) => {
      const storages = [world.storage, await world.open()]
      const paths = Array.from({ length: 20 }, (_, index) => `sessions/${index}.json`)
      await Promise.all(
        paths.flatMap((path) => storages.map(async (storage, index) => unwrap(await appendEntry(storage, path, `${index}`)))),
      )
      for (const path of paths) expect((await entriesAt(world.storage, path)).toSorted()).toEqual(['0', '1'])
    })

    test('never lets a reader see half a document', async (world) => {
      const other = await world.open()
      const contents = ['a'.repeat(100_000), 'b'.repeat(10)]
      await world.put({ doc: contents[1] ?? '' })
      let writing = true
      const writer = (async () => {
        for (let time = 0; time < 40; time++) await world.put({ doc: contents[time % 2] ?? '' })
        writing = false
      })()
      while (writing) {
        const document = unwrap(await other.read(['doc'])).document('doc')
        expect(contents.includes(new TextDecoder().decode(document?.bytes))).toBe(true)
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
      await writer
    })

    test('moves a folder away between updates, never in the middle of one', async (world) => {
      const mover = await world.open()
      let writing = true
      const moves = (async () => {
        for (let round = 0; writing; round++) {
          expect(['ok', 'not_found']).toContain(codeOf(await moveDocuments(mover, 'live', `moved/${round}`)))
          await new Promise((resolve) => setTimeout(resolve, 0))
        }
      })()
      const written: string[] = []
      for (let time = 0; time < 60; time++) {
        unwrap(await appendEntry(world.storage, 'live/log.json', `${time}`))
        written.push(`${time}`)
      }
      writing = false
      await moves
      const logs = (await world.paths()).filter((path) => path.endsWith('.json'))
      const kept = await Promise.all(logs.map((path) => entriesAt(world.storage, path)))
      expect(kept.flat().toSorted()).toEqual(written.toSorted())
    })

    test('lets exactly one of many movers win', async (world) => {
      await world.put({ 'prize/a': 'x' })
      const movers = await Promise.all(Array.from({ length: 5 }, () => world.open()))
      const codes = await Promise.all(movers.map(async (mover, index) => codeOf(await moveDocuments(mover, 'prize', `winner-${index}`))))
      expect(codes.toSorted()).toEqual(['not_found', 'not_found', 'not_found', 'not_found', 'ok'])
      expect(await world.paths()).toHaveLength(1)
    })

    if (!processes) return

    test(`keeps all ${total} updates of one document by ${writerCount} processes`, async ({ storage, harness }) => {
      const child = requireOpenInChild(harness.openInChild)
      const writers = Array.from({ length: writerCount }, (_, writer) =>
        startWriter({ ...child, path: PATH, writer: `${writer}`, times: updateCount }),
      )
      await Promise.all(writers.map((writer) => writer.ready))
      for (const writer of writers) writer.go()
      const acknowledged = (await Promise.all(writers.map((writer) => writer.finished))).flat()
      expect(acknowledged.toSorted()).toEqual(everyEntry)
      expect((await entriesAt(storage, PATH)).toSorted()).toEqual(everyEntry)
    })
  })
}

// Enough writes to last until the kill.
const ENDLESS = 100_000

export const killCases = (create: CreateStorageHarness, { kills }: Required<StorageCapabilities>): void => {
  describe('kill -9', () => {
    it(
      `loses no acknowledged update and leaves none half done in ${kills} rounds`,
      { timeout: 120_000 },
      withStorage(create, async (world) => {
        const { storage, harness } = world
        const child = requireOpenInChild(harness.openInChild)
        const safe: string[] = []
        const start = (round: number) => startWriter({ ...child, path: PATH, writer: `${round}`, times: ENDLESS })
        let next = start(0)
        for (let round = 0; round < kills; round++) {
          const writer = next
          await writer.ready
          writer.go()
          // Starts the next writer meanwhile, because starting takes most of a round.
          if (round + 1 < kills) next = start(round + 1)
          await writer.printed(1 + (round % 7))
          writer.kill()
          safe.push(...(await writer.finished))
          const kept = new Set(await entriesAt(storage, PATH))
          expect(safe.filter((entry) => !kept.has(entry))).toEqual([])
        }
        unwrap(await appendEntry(storage, PATH, 'after'))
        expect(await world.paths()).toEqual([PATH, `${PATH}.lines`])
      }),
    )
  })
}
