/** A connection that is lost at any statement: no change is lost once it is acknowledged, and none is applied twice. */
import type { StorageBackend } from '@hermes/core'
import type { ReviewQueue } from '@hermes/core/queue'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { firstOf } from '../../../scripts/support/rounds.ts'
import type { PostgresClient } from '../src/drivers/detect-driver.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { postgresRecallIndex } from '../src/postgres-recall-index.ts'
import { postgresReviewQueue } from '../src/postgres-review-queue.ts'
import { type CuttingProxy, createCuttingProxy } from './support/cutting-proxy.ts'
import { addEntry, bytes, codeOf, entriesAt, move, pathsIn, put, textAt, unwrap } from './support/entries.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'
import { find, forgetting, openRecallHome, turn } from './support/recall-homes.ts'

const url = inject('postgresUrl')
const direct = new pg.Pool({ connectionString: url, max: 4 })
let proxy: CuttingProxy
let proxied = ''
let endpoint: NeonEndpoint

beforeAll(async () => {
  const { hostname, port } = new URL(url)
  proxy = await createCuttingProxy({ host: hostname, port: Number(port) })
  const throughProxy = new URL(url)
  throughProxy.port = String(proxy.port)
  proxied = throughProxy.href
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
})
afterAll(async () => {
  await direct.end()
  await proxy.close()
  await endpoint.close()
})

interface Client {
  readonly client: PostgresClient
  readonly end: () => Promise<unknown>
}

const CLIENTS: Readonly<Record<string, () => Client>> = {
  pg: () => {
    const pool = new pg.Pool({ connectionString: proxied, max: 3 })
    pool.on('error', () => undefined)
    return { client: pool, end: () => pool.end() }
  },
  'postgres.js': () => {
    // Each statement is sent with its text, by which the proxy knows it.
    const sql = postgres(proxied, { max: 3, prepare: false, onnotice: () => undefined })
    return { client: sql, end: () => sql.end({ timeout: 1 }) }
  },
}

const SEEDED = ['log', 'gone', 'folder/a']

const withTreeOf =
  (name: string) =>
  async (run: (tested: StorageBackend, other: StorageBackend) => Promise<void>): Promise<void> => {
    const schema = newSchema()
    const { client, end } = CLIENTS[name]!()
    const other = postgresBackend(direct, { schema })
    const tested = postgresBackend(client, { schema })
    try {
      for (const path of SEEDED) unwrap(await put(other, path, 'first'))
      unwrap(await tested.list(''))
      await run(tested, other)
    } finally {
      proxy.cutAt('nothing at all', 'before')
      await tested.close()
      await end()
      await direct.query(`drop schema ${schema} cascade`)
    }
  }

/** All that a plan can do, in one update. */
const everything = (storage: StorageBackend, entry: string) =>
  storage.update(['log', 'blind', 'gone', 'new', 'folder/', 'moved/'], (cut) => ({
    put: {
      log: bytes(`${new TextDecoder().decode(cut.document('log')?.bytes)}\n${entry}`),
      gone: null,
      new: bytes(`after ${cut.list('folder/').length}`),
    },
    append: { blind: bytes(`${entry}\n`) },
    move: cut.list('folder/').length > 0 ? [['folder', 'moved']] : [],
    value: entry,
  }))

describe.each(firstOf(Object.keys(CLIENTS), 2))('with %s', (name) => {
  const withTree = withTreeOf(name)

  it.each([
    ['hermes_update', 'before'],
    ['hermes_update', 'after'],
    ['hermes_read_cut', 'before'],
    ['hermes_read_cut', 'after'],
  ] as const)('does an update once if the connection is lost at %s, %s the server has it', (text, when) =>
    withTree(async (tested, other) => {
      const cuts = proxy.cuts()
      proxy.cutAt(text, when)
      expect(unwrap(await everything(tested, 'second'))).toBe('second')
      expect(proxy.cuts() - cuts).toBe(1)
      expect(await pathsIn(other)).toEqual(['blind', 'log', 'moved/a', 'new'])
      expect(await entriesAt(other, 'log')).toEqual(['first', 'second'])
      expect(await textAt(other, 'new')).toBe('after 1')
      proxy.cutAt(text, when)
      unwrap(await everything(tested, 'third'))
      expect(await entriesAt(other, 'log')).toEqual(['first', 'second', 'third'])
      expect(await textAt(other, 'blind')).toBe('second\nthird\n')
    }),
  )

  it.each(['before', 'after'] as const)('says what was refused if the connection is lost %s the server has it', (when) =>
    withTree(async (tested, other) => {
      proxy.cutAt('hermes_update', when)
      expect(codeOf(await move(tested, 'folder', 'log'))).toBe('occupied')
      proxy.cutAt('hermes_update', when)
      expect(codeOf(await move(tested, 'none', 'elsewhere'))).toBe('not_found')
      expect(await pathsIn(other)).toEqual(['folder/a', 'gone', 'log'])
    }),
  )

  it('reads and lists again', () =>
    withTree(async (tested) => {
      for (const when of ['before', 'after'] as const) {
        proxy.cutAt('hermes_read_cut', when)
        expect(await textAt(tested, 'log')).toBe('first')
        proxy.cutAt('hermes_read_cut', when)
        expect(await pathsIn(tested)).toEqual(['folder/a', 'gone', 'log'])
      }
    }))
})

it('knows what it has done, although others have changed everything since', async () => {
  const schema = newSchema()
  const other = postgresBackend(direct, { schema })
  unwrap(await put(other, 'log', 'first'))
  const tested = postgresBackend(neon(url), { schema })
  await tested.list('')
  endpoint.loseAnswer(1)
  unwrap(await addEntry(tested, 'log', 'second'))
  expect(await entriesAt(other, 'log')).toEqual(['first', 'second'])

  let lose = () => {}
  endpoint.loseAnswer(
    1,
    new Promise<void>((resolve) => {
      lose = resolve
    }),
  )
  const hidden = addEntry(tested, 'log', 'third')
  // Removed and created again before the connection is lost.
  await expect.poll(() => entriesAt(other, 'log')).toContain('third')
  unwrap(await put(other, 'log', null))
  unwrap(await put(other, 'log', 'anew'))
  lose()
  expect(unwrap(await hidden)).toBe('first\nsecond\nthird')
  expect(await entriesAt(other, 'log')).toEqual(['anew'])
  await direct.query(`drop schema ${schema} cascade`)
})

const ANN = { owner: { user: 'ann' }, kind: 'turns', dueAt: 1_000 } as const

const withQueues = async (run: (tested: ReviewQueue, other: ReviewQueue) => Promise<void>): Promise<void> => {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: proxied, max: 2 })
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

it.each(['before', 'after'] as const)('survives a connection that is lost %s the server has the statement', async (when) => {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: proxied, max: 2 })
  pool.on('error', () => undefined)
  const { index, problems } = await openRecallHome(postgresRecallIndex(pool, { schema }))
  const other = (await openRecallHome(postgresRecallIndex(direct, { schema }))).index
  const cuts = proxy.cuts()

  proxy.cutAt('hermes_recall_add', when)
  await index.add([
    turn('1', 'first', 1, 'The bees swarm in May'),
    turn('2', 'second', 2, 'The dentist moved'),
    turn('3', 'third', 3, 'Tea'),
  ])
  expect(await other.check()).toEqual([])
  proxy.cutAt('jsonb_object_agg', when)
  expect(await find(index, 'bees dentist')).toHaveLength(2)
  proxy.cutAt('hermes_recall_derive', when)
  await index.reindex()
  proxy.cutAt('hermes_recall_remove', when)
  await index.forget(forgetting('dentist'))
  expect(await other.stats()).toMatchObject({ turns: 2 })
  expect(await other.check()).toEqual([])
  proxy.cutAt('hermes_recall_erase', when)
  await index.forget({ kind: 'all', dryRun: false })
  expect(await other.search({ terms: ['bees'], limit: 5 })).toMatchObject({ hits: [], items: 0 })

  expect(proxy.cuts() - cuts).toBe(5)
  expect(problems).toEqual([])
  await index.close()
  await pool.end()
  await direct.query(`drop schema ${schema} cascade`)
})

it('says what to do about a server that is away', async () => {
  const away = new URL(url)
  away.port = '1'
  const pool = new pg.Pool({ connectionString: away.href, max: 1 })
  const opening = openRecallHome(postgresRecallIndex(pool, { timeoutMs: 500 }))
  await expect(opening).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('Check that it is running') })
  await pool.end()
})
