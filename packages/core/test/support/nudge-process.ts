/**
 * `node nudge-process.ts <json>`: takes turns in several sessions of a home until it is killed. Logs each acknowledged turn and what its reviews do; prints when its
 * model is called and how a review fails.
 */
import { once } from 'node:events'
import { appendFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createHermes } from '../../src/create-hermes.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { observeReviews } from './observed-reviews.ts'
import { seededRandom } from './seeded-random.ts'

export interface NudgeTask {
  readonly home: string
  readonly log: string
  readonly name: string
  readonly seed: number
  readonly sessions: readonly string[]
  readonly turns: number
  readonly memoryInterval: number
  /** At the real time `realStart` the clock shows `startAt`; it runs `speed` times faster. Epoch milliseconds. */
  readonly startAt: number
  readonly realStart: number
  readonly speed: number
  /** Maximum real milliseconds of a model call. */
  readonly answersWithin: number
  /** The answer of the model. */
  readonly answer: string
}

const task: NudgeTask = JSON.parse(process.argv[2] ?? '')
const random = seededRandom(task.seed)
const note = (line: unknown) => appendFileSync(task.log, `${JSON.stringify(line)}\n`)

const observed = observeReviews(fileSystemBackend(task.home), note)
const hermes = createHermes({
  storage: observed.storage,
  clock: () => task.startAt + Math.floor((Date.now() - task.realStart) * task.speed),
  nudge: { memoryInterval: task.memoryInterval, skillInterval: 0 },
  curator: { enabled: false },
  review: {
    model: async ({ messages }) => {
      note({ kind: 'asks', fence: observed.fence, text: messages.map(({ content }) => content).join('\n') })
      writeSync(1, 'asks\n')
      await wait(random() * task.answersWithin)
      return task.answer
    },
  },
  onEvent: (event) => {
    if (event.type === 'review-failed') writeSync(1, `failed ${event.error.code}\n`)
    if (event.type === 'storage-failed' && event.error.code !== 'superseded') note({ kind: 'problem', text: event.error.message })
  },
})

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
for (let turn = 1; turn <= task.turns; turn++) {
  const session = task.sessions[Math.floor(random() * task.sessions.length)] ?? ''
  const text = `${task.name}-${turn};`
  note({ kind: 'says', text })
  hermes.session(session).recordTurn({ messages: [{ role: 'user', text }] })
  // A saved turn is acknowledged; a review that became due with it continues.
  if (turn === task.turns || random() < 0.8) {
    await hermes.settled()
    note({ kind: 'safe', upTo: turn })
  }
}
writeSync(1, 'done\n')
await once(process.stdin, 'data')
process.stdin.destroy()
await hermes.close()
