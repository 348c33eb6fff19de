/** Worker processes share the queue, are killed at any moment or suspended for too long, and owners are erased: each review has one effect. */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { type Child, startChild } from './support/child.ts'
import { unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'
import { effectOf, endSession, type FastClock, openQueuedHomes } from './support/queued-homes.ts'
import type { WorkerTask } from './support/worker-main.ts'

const script = bundledProgram(new URL('./support/worker-main.ts', import.meta.url))
const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

/** More takes minutes: set HERMES_QUEUED_REVIEWS=1000 for the long run. */
const REVIEWS = Number(process.env['HERMES_QUEUED_REVIEWS'] ?? 20)
const WORKERS = 4
const KILLS = Math.max(4, Math.floor(REVIEWS / 25))

/** A home's lease of a minute takes three seconds: a living worker renews it in time on a busy machine too. */
const SPEED = 20

const openWorld = (concurrency: number, answersAfter: number) => {
  const schema = newSchema()
  const time: FastClock = { startAt: Date.UTC(2026, 0, 5, 12), realStart: Date.now(), speed: SPEED }
  const task: WorkerTask = { url, schema, time, concurrency, answersAfter }
  const world = openQueuedHomes(pool, schema, time)
  return {
    ...world,
    schema,
    start: (more: Partial<WorkerTask> = {}) => startChild(script, { ...task, ...more }),
    async isEmpty() {
      const { waiting, claimed } = unwrap(await world.queue.stats())
      return waiting + claimed === 0
    },
    async drop() {
      await world.homes.close()
      await pool.query(`drop schema ${schema} cascade`)
    },
  }
}

/** Ten at a time. */
const endSessions = async (world: Parameters<typeof endSession>[0], owners: readonly string[]): Promise<void> => {
  for (let from = 0; from < owners.length; from += 10)
    await Promise.all(owners.slice(from, from + 10).map((owner) => endSession(world, owner)))
}

/** Kills a worker while its model answers or at any other moment, and starts another. */
const killAndReplace = async (children: Child[], kill: number, start: () => Child): Promise<void> => {
  const index = kill % children.length
  await children[index]?.line()
  await wait((kill * 37) % 61)
  children[index]?.process.kill('SIGKILL')
  await children[index]?.ended
  children[index] = start()
}

it(`gives each of ${REVIEWS} reviews one effect while ${KILLS} workers are killed`, { timeout: 120_000 + REVIEWS * 1_000 }, async () => {
  const world = openWorld(2, 20)
  const owners = Array.from({ length: REVIEWS }, (_, index) => `user-${index}`)
  await endSessions(world, owners)
  const startedAt = Date.now()
  const children = Array.from({ length: WORKERS }, () => world.start())
  for (let kill = 0; kill < KILLS; kill++) await killAndReplace(children, kill, world.start)
  while (!(await world.isEmpty())) await wait(100)
  const tookMs = Date.now() - startedAt
  // Some of the last ones may still be starting, when SIGTERM would kill them.
  for (const child of children) expect(await child.line()).toBe('ready')
  for (const child of children) child.process.kill('SIGTERM')
  for (const child of children) expect(await child.ended).toBe(0)

  const effects: (Awaited<ReturnType<typeof effectOf>> & { readonly owner: string })[] = []
  for (const owner of owners) effects.push({ owner, ...(await effectOf(world, owner)) })
  expect(effects.map(({ owner, facts }) => ({ owner, facts }))).toEqual(
    owners.map((owner) => ({ owner, facts: [`Remember fact-${owner}.`] })),
  )
  // A kill may come after the fact was written and before the journal or the queue knows; then the next review finds the fact present.
  expect(effects.filter(({ applied, confirmed }) => applied > 1 || confirmed > 1 || applied + confirmed === 0)).toEqual([])
  expect(effects.filter(({ confirmed }) => confirmed > 0).length).toBeLessThanOrEqual(KILLS)
  // A review has ended before the journal says so, and a kill may come in between.
  expect(effects.filter(({ finished }) => finished > 1)).toEqual([])
  expect(effects.filter(({ finished }) => finished === 0).length).toBeLessThanOrEqual(KILLS)
  if (REVIEWS > 100) process.stdout.write(`${REVIEWS} reviews, ${WORKERS} workers, ${KILLS} kills: ${tookMs} ms\n`)
  await world.drop()
})

it('lets a worker that was suspended past its lease write nothing after another one took over', async () => {
  const world = openWorld(1, 20)
  await endSession(world, 'ann')
  // Long enough to be suspended before its model answers, on a busy machine too.
  const first = world.start({ answersAfter: 5_000 })
  expect(await first.line()).toBe('ready')
  expect(await first.line()).toBe('asked')
  first.process.kill('SIGSTOP')
  const second = world.start()
  const lines: string[] = []
  while (!lines.some((line) => line.includes('reviewed'))) lines.push(await second.line())
  const effect = { facts: ['Remember fact-ann.'], applied: 1, confirmed: 0, finished: 1 }
  expect(await effectOf(world, 'ann')).toEqual(effect)
  first.process.kill('SIGCONT')
  expect(await first.line()).toMatch(/"outcome":"postponed","reason":"(busy|stopped)"/)
  expect(await effectOf(world, 'ann')).toEqual(effect)
  for (const child of [first, second]) child.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(await second.ended).toBe(0)
  expect(await world.isEmpty()).toBe(true)
  await world.drop()
})

it('leaves nothing of an owner who is erased while another process reviews them, and goes on with the next', async () => {
  const world = openWorld(1, 2_000)
  await endSession(world, 'ann')
  const worker = world.start()
  expect(await worker.line()).toBe('ready')
  expect(await worker.line()).toBe('asked')
  unwrap(await world.homes.erase('ann'))
  await endSession(world, 'bob')
  const lines: string[] = []
  while (!lines.some((line) => line.includes('"bob"') && line.includes('reviewed'))) lines.push(await worker.line())
  expect(lines.filter((line) => line.includes('"ann"') && line.includes('reviewed'))).toEqual([])
  worker.process.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect((await pool.query(`select path from ${world.schema}.hermes_documents where path like '%ann%'`)).rows).toEqual([])
  expect(await world.isEmpty()).toBe(true)
  expect(await effectOf(world, 'bob')).toEqual({ facts: ['Remember fact-bob.'], applied: 1, confirmed: 0, finished: 1 })
  await world.drop()
})
