/** The promises of a queue of reviews in a file of SQLite, processes and kills included. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { manualClock, reviewQueueConformance } from '@hermes/testing'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { QUEUE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { sqliteReviewQueue } from '../src/sqlite-review-queue.ts'
import { newFolder } from './support/temporary-folder.ts'

const module = bundledModule(new URL('./support/open-queue-in-child.ts', import.meta.url))

reviewQueueConformance(
  'SQLite',
  async () => {
    const folder = newFolder()
    const file = join(folder, 'hermes.db')
    const clock = manualClock()
    return {
      open: async () => sqliteReviewQueue(file, { timeoutMs: 60_000, clock }),
      now: clock,
      pass: async (ms) => clock.advance(ms),
      dispose: async () => rmSync(folder, { recursive: true }),
      openInChild: { module, config: { file } },
    }
  },
  QUEUE_ROUNDS,
)
