/** A connection that is lost while the queue is asked: nothing is lost, and what is uncertain is said. */
import type { ReviewQueue } from '@hermes/core/queue'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { postgresReviewQueue } from '../src/postgres-review-queue.ts'
import { type CuttingProxy, createCuttingProxy } from './support/cutting-proxy.ts'
import { codeOf, unwrap } from './support/entries.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const direct = new pg.Pool({ connectionString: url, max: 4 })
let proxy: CuttingProxy

beforeAll(async () => {
  const { hostname, port } = new URL(url)
  proxy = await createCuttingProxy({ host: hostname, port: Number(port) })
})
afterAll(async () => {
  await direct.end()
  await proxy.close()
})

const ANN = { owner: { user: 'ann' }, kind: 'turns', dueAt: 1_000 } as const

const withQueues = async (run: (tested: ReviewQueue, other: ReviewQueue) => Promise<void>): Promise<void> => {
  const schema = newSchema()
  const through = new URL(url)
  through.port = String(proxy.port)
  const pool = new pg.Pool({ connectionString: through.href, max: 2 })
  pool.on('error', () => undefined)
  const tested = postgresReviewQueue(pool, { schema })
  unwrap(await tested.stats())
  try {
    await run(tested, postgresReviewQueue(direct, { schema }))
  } finally {
    await tested.close()
    await pool.end()
    await direct.query(`drop schema ${schema} cascade`)
  }
}

const claimOne = async (queue: ReviewQueue, leaseMs = 60_000) => {
  const [claim, ...more] = unwrap(await queue.claim({ limit: 10, leaseMs }))
  expect(more).toEqual([])
  if (!claim) throw new Error('nothing was claimed')
  return claim
}

it.each(['before', 'after'] as const)('adds, renews and removes once if the connection is lost %s the server has the statement', (when) =>
  withQueues(async (tested, other) => {
    proxy.cutAt('insert into', when)
    unwrap(await tested.add(ANN))
    expect(unwrap(await other.stats())).toEqual({ waiting: 1, claimed: 0, oldestDueAt: 1_000 })
    const claim = await claimOne(tested)
    proxy.cutAt('set lease_until', when)
    unwrap(await tested.renew(claim, 60_000))
    proxy.cutAt('delete from', when)
    unwrap(await tested.remove(ANN.owner))
    expect(unwrap(await other.stats())).toMatchObject({ waiting: 0, claimed: 0 })
  }),
)

it('claims again what it never got, once the lease has passed', () =>
  withQueues(async (tested, other) => {
    unwrap(await tested.add(ANN))
    proxy.cutAt('hermes_claim_reviews', 'before')
    expect(await claimOne(tested, 50)).toMatchObject({ ...ANN, attempts: 1 })
    await expect.poll(async () => unwrap(await other.stats()).waiting).toBe(1)
    proxy.cutAt('hermes_claim_reviews', 'after')
    expect(unwrap(await tested.claim({ limit: 1, leaseMs: 2_000 }))).toEqual([])
    expect(unwrap(await other.stats())).toMatchObject({ waiting: 0, claimed: 1 })
    await expect.poll(async () => unwrap(await other.stats()).waiting, { timeout: 10_000 }).toBe(1)
    expect(await claimOne(tested)).toMatchObject({ ...ANN, attempts: 3 })
  }))

it('ends a claim if the connection was lost before, and says that it is uncertain if it was lost after', () =>
  withQueues(async (tested, other) => {
    unwrap(await tested.add(ANN))
    proxy.cutAt('hermes_end_review', 'before')
    unwrap(await tested.end(await claimOne(tested), { againAt: 2_000 }))
    const claim = await claimOne(tested)
    expect(claim.dueAt).toBe(2_000)
    proxy.cutAt('hermes_end_review', 'after')
    const ended = await tested.end(claim, 'done')
    expect(ended).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('either it was ended') } })
    expect(unwrap(await other.stats())).toMatchObject({ waiting: 0, claimed: 0 })
    expect(codeOf(await tested.end(claim, 'done'))).toBe('superseded')
  }))
