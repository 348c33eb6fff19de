/** `node worker-main.ts <json>`: works on the queue of a folder of homes until SIGTERM. Prints `asked` for each model call and each review as JSON. */
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createHermesHomes } from '../../src/index.ts'
import { storageReviewQueue } from '../../src/queue/storage-review-queue.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { factsSaid } from './open-homes.ts'

export interface WorkerTask {
  readonly folder: string
  /** At the real time `realStart` the clock shows `startAt`; it runs `speed` times faster. Epoch milliseconds. */
  readonly startAt: number
  readonly realStart: number
  readonly speed: number
  readonly concurrency: number
  /** Real milliseconds of a model call. */
  readonly answersAfter: number
}

const task: WorkerTask = JSON.parse(process.argv[2] ?? '')
const print = (line: unknown) => writeSync(1, `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
const clock = () => task.startAt + Math.floor((Date.now() - task.realStart) * task.speed)
const storage = fileSystemBackend(task.folder)
const homes = createHermesHomes({
  storage,
  clock,
  curator: { enabled: false },
  review: {
    queue: storageReviewQueue({ storage, clock }),
    model: async (request) => {
      print('asked')
      await wait(task.answersAfter)
      return factsSaid(request)
    },
  },
  onEvent: (event) => {
    if (event.type === 'storage-failed' && event.error.code !== 'superseded') print({ problem: event.error.message })
  },
})
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
print('ready')
const worked = await homes.work({
  signal: stop.signal,
  concurrency: task.concurrency,
  pollMs: 100,
  onReview: ({ owner, kind, outcome }) =>
    print({ owner: owner?.user, kind, outcome: outcome.kind, reason: outcome.kind === 'postponed' ? outcome.reason : undefined }),
})
print(worked.ok ? 'done' : worked.error.message)
await homes.close()
