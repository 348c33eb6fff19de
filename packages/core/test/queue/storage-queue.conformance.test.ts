/** The conformance suite on the queue over a storage: in memory and in files. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledModule } from '../../../../scripts/support/bundled-program.ts'
import { QUEUE_ROUNDS } from '../../../../scripts/support/rounds.ts'
import { storageReviewQueue } from '../../src/queue/storage-review-queue.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { reviewQueueConformance } from '../../src/testing/review-queue-conformance.ts'

const overStorage = (storage: StorageBackend) => {
  const clock = manualClock()
  return {
    open: async (clockAheadMs = 0) => storageReviewQueue({ storage, clock: () => clock() + clockAheadMs }),
    now: clock,
    pass: async (ms: number) => clock.advance(ms),
  }
}

reviewQueueConformance(
  'in memory',
  async () => {
    const storage = inMemoryBackend()
    return { ...overStorage(storage), dispose: () => storage.close() }
  },
  { processes: false, ...QUEUE_ROUNDS },
)

reviewQueueConformance(
  'in files',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'hermes-queue-'))
    const storage = fileSystemBackend(home)
    return {
      ...overStorage(storage),
      async dispose() {
        await storage.close()
        await rm(home, { recursive: true, force: true })
      },
      processes: { module: bundledModule(new URL('./open-queue.ts', import.meta.url)), config: { home } },
    }
  },
  QUEUE_ROUNDS,
)
