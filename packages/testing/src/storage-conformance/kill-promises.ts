/** Killing a writer at any moment loses no acknowledged update, leaves none half done, damages no document and leaves no lock. */
import { describe, expect, it } from 'vitest'
import { appendEntry, entriesAt } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { childOf, must, withStorage } from './with-storage.ts'
import { startWriter } from './writer-process.ts'

// Enough writes to last until the kill.
const ENDLESS = 100_000
const PATH = 'memories/MEMORY.md'

export const killPromises = (create: CreateStorageHarness, { kills }: Required<StorageCapabilities>): void => {
  describe('kill -9', () => {
    it(
      `loses no acknowledged update and leaves none half done in ${kills} rounds`,
      { timeout: 120_000 },
      withStorage(create, async (world) => {
        const { storage, harness } = world
        const child = childOf(harness)
        const safe: string[] = []
        const start = (round: number) => startWriter({ ...child, path: PATH, writer: `${round}`, times: ENDLESS })
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
        must(await appendEntry(storage, PATH, 'after'))
        expect(await world.paths()).toEqual([PATH, `${PATH}.lines`])
      }),
    )
  })
}
