/** Worker processes share the queue of a folder of homes, are killed at any moment or suspended for too long: each review has one effect. */
import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { createHermesHomes } from '../../src/index.ts'
import { storageReviewQueue } from '../../src/queue/storage-review-queue.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { user } from '../session/open-home.ts'
import { type Child, startChild } from '../storage/support/child.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { WorkerTask } from './worker-main.ts'

const script = bundledProgram(new URL('./worker-main.ts', import.meta.url))
/** More takes minutes: set HERMES_QUEUED_REVIEWS=1000 for the long run. */
const REVIEWS = Number(process.env['HERMES_QUEUED_REVIEWS'] ?? 20)
const WORKERS = 4
const KILLS = Math.max(4, Math.floor(REVIEWS / 25))
const START = Date.UTC(2026, 0, 5, 12)
/** A lease of a minute takes three seconds: a living worker renews it in time on a busy machine too. */
const SPEED = 20

const openFolder = (concurrency: number, answersAfter: number) => {
  const folder = temporaryFolder()
  const task: WorkerTask = { folder, startAt: START, realStart: Date.now(), speed: SPEED, concurrency, answersAfter }
  const clock = () => START + Math.floor((Date.now() - task.realStart) * SPEED)
  const storage = fileSystemBackend(folder)
  const queue = storageReviewQueue({ storage, clock })
  const homes = createHermesHomes({ storage, clock, review: { queue }, curator: { enabled: false }, onEvent: () => {} })
  const env = { ...process.env, NODE_COMPILE_CACHE: temporaryFolder() }
  return {
    folder,
    homes,
    start: (more: Partial<WorkerTask> = {}) => startChild(process.execPath, [script, JSON.stringify({ ...task, ...more })], { env }),
    async endsSession(owner: string) {
      const session = homes.for(owner).session('chat')
      session.recordTurn({ messages: [user(`Please remember fact-${owner}.`)] })
      expect(await session.end({ minTurns: 1 })).toEqual({ ok: true, value: { kind: 'queued' } })
    },
    async isEmpty() {
      const stats = await queue.stats()
      return stats.ok && stats.value.waiting + stats.value.claimed === 0
    },
    /** What the home of an owner holds: its facts, and how often the journal says that a fact was written, found present and a review finished. */
    async effectOf(owner: string) {
      const hermes = homes.for(owner)
      const store = hermes.memoryStore()
      await store.load()
      const records = await hermes.journal.list()
      const verdicts = records.ok ? records.value.map(({ verdict }) => verdict) : []
      const times = (verdict: string) => verdicts.filter((each) => each === verdict).length
      const dates = records.ok ? records.value.flatMap(({ facts }) => facts?.content ?? []) : []
      const confirmed = dates.filter(({ firstSeenAt, lastConfirmedAt }) => lastConfirmedAt > firstSeenAt).length
      return { facts: store.entries('memory'), applied: times('applied') - confirmed, confirmed, finished: times('review-finished') }
    },
  }
}

/** Kills a worker while its model answers or at any other moment, and starts another. */
const killAndReplace = async (children: Child[], index: number, random: () => number, start: () => Child): Promise<void> => {
  await children[index]?.line()
  await wait(random() * 60)
  children[index]?.process.kill('SIGKILL')
  await children[index]?.ended
  children[index] = start()
}

it(`gives each of ${REVIEWS} reviews one effect while ${KILLS} workers are killed`, { timeout: 120_000 + REVIEWS * 1_000 }, async () => {
  const random = seededRandom(5)
  const world = openFolder(2, 20)
  const owners = Array.from({ length: REVIEWS }, (_, index) => `user-${index}`)
  for (const owner of owners) await world.endsSession(owner)
  const startedAt = Date.now()
  const children = Array.from({ length: WORKERS }, () => world.start())
  for (let kill = 0; kill < KILLS; kill++) await killAndReplace(children, kill % WORKERS, random, world.start)
  while (!(await world.isEmpty())) await wait(100)
  const tookMs = Date.now() - startedAt
  // Some of the last ones may still be starting, when SIGTERM would kill them.
  for (const child of children) expect(await child.line()).toBe('ready')
  for (const child of children) child.process.kill('SIGTERM')
  for (const child of children) expect(await child.ended).toBe(0)

  const effects = await Promise.all(owners.map(async (owner) => ({ owner, ...(await world.effectOf(owner)) })))
  const unnoted = effects.filter(({ finished }) => finished === 0)
  expect(effects.map(({ owner, facts }) => ({ owner, facts }))).toEqual(
    owners.map((owner) => ({ owner, facts: [`Remember fact-${owner}.`] })),
  )
  // A kill may come after the fact was written and before the journal or the queue knows; then the next review finds the fact present.
  const repeated = effects.filter(({ confirmed }) => confirmed > 0)
  expect(effects.filter(({ applied, confirmed }) => applied > 1 || confirmed > 1 || applied + confirmed === 0)).toEqual([])
  expect(repeated.length).toBeLessThanOrEqual(KILLS)
  // A review has ended before the journal says so, and a kill may come in between.
  expect(effects.filter(({ finished }) => finished > 1)).toEqual([])
  expect(unnoted.length).toBeLessThanOrEqual(KILLS)
  if (REVIEWS > 100) process.stdout.write(`${REVIEWS} reviews, ${WORKERS} workers, ${KILLS} kills: ${tookMs} ms\n`)
  await world.homes.close()
  // Too many files for a hook.
  await rm(world.folder, { recursive: true, force: true })
})

it('lets a worker that was suspended past its lease write nothing after another one took over', { timeout: 60_000 }, async () => {
  const world = openFolder(1, 20)
  await world.endsSession('ann')
  // Long enough to be suspended before its model answers, on a busy machine too.
  const first = world.start({ answersAfter: 5_000 })
  expect(await first.line()).toBe('ready')
  expect(await first.line()).toBe('asked')
  first.process.kill('SIGSTOP')
  const second = world.start()
  const lines: string[] = []
  while (!lines.some((line) => line.includes('reviewed'))) lines.push(await second.line())
  const effect = { facts: ['Remember fact-ann.'], applied: 1, confirmed: 0, finished: 1 }
  expect(await world.effectOf('ann')).toEqual(effect)
  first.process.kill('SIGCONT')
  expect(await first.line()).toMatch(/"outcome":"postponed","reason":"(busy|stopped)"/)
  expect(await world.effectOf('ann')).toEqual(effect)
  for (const child of [first, second]) child.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(await second.ended).toBe(0)
  expect(await world.isEmpty()).toBe(true)
  await world.homes.close()
})
