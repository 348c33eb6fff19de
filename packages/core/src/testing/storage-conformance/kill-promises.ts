/** Killing a writer at any moment loses no acknowledged write, damages no document and leaves no lock. */
import { describe, expect, it } from 'vitest'
import { appending, entriesAt, unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { pathsIn, processesOf, withTree } from './with-tree.ts'
import { startWriter } from './writer-process.ts'

// Enough writes to last until the kill.
const ENDLESS = 100_000
const PATH = 'memories/MEMORY.md'

export const killPromises = (create: CreateStorageHarness, { kills }: Required<StorageCapabilities>): void => {
  describe('kill -9', () => {
    it(`loses no acknowledged write and breaks no document in ${kills} rounds`, { timeout: 120_000 }, () =>
      withTree(create, async ({ storage, harness }) => {
        const shared = processesOf(harness)
        const safe: string[] = []
        const start = (round: number) => startWriter({ ...shared, path: PATH, writer: `${round}`, times: ENDLESS })
        let next = start(0)
        for (let round = 0; round < kills; round++) {
          const writer = next
          await writer.ready
          writer.go()
          // Starts the next writer meanwhile, because starting takes most of a round.
          if (round + 1 < kills) next = start(round + 1)
          await writer.acknowledged(1 + (round % 7))
          writer.kill()
          safe.push(...(await writer.finished))
          const kept = new Set(await entriesAt(storage, PATH))
          expect(safe.filter((entry) => !kept.has(entry))).toEqual([])
        }
        unwrap(await storage.update(PATH, appending('after')))
        expect(await pathsIn(storage, '')).toEqual([PATH])
      }),
    )
  })
}
