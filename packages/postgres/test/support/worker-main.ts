/** `node worker-main.ts <json>`: works on the queue of a schema until SIGTERM. Prints `asked` for each model call and each review as JSON. */
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type FastClock, factsSaid, openQueuedHomes } from './queued-homes.ts'

export interface WorkerTask {
  readonly url: string
  readonly schema: string
  readonly time: FastClock
  readonly concurrency: number
  /** Real milliseconds of a model call. */
  readonly answersAfter: number
}

const task: WorkerTask = JSON.parse(process.argv[2] ?? '')
const print = (line: unknown) => writeSync(1, `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
const pool = new pg.Pool({ connectionString: task.url, max: 4 })
pool.on('error', () => undefined)
const { homes } = openQueuedHomes(pool, task.schema, task.time, {
  model: async (request) => {
    print('asked')
    await wait(task.answersAfter)
    return factsSaid(request)
  },
  onProblem: (problem) => print({ problem }),
})
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
print('ready')
const worked = await homes.work({
  signal: stop.signal,
  concurrency: task.concurrency,
  leaseMs: 3_000,
  pollMs: 100,
  onReview: ({ owner, kind, outcome }) =>
    print({ owner: owner?.user, kind, outcome: outcome.kind, reason: outcome.kind === 'postponed' ? outcome.reason : undefined }),
})
print(worked.ok ? 'done' : worked.error.message)
await homes.close()
await pool.end()
