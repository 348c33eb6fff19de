/** A connection that is lost while the recall index is asked: each call is repeated, and nothing is stored or counted twice. */
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { postgresRecallIndex } from '../src/postgres-recall-index.ts'
import { type CuttingProxy, createCuttingProxy } from './support/cutting-proxy.ts'
import { newSchema } from './support/new-schema.ts'
import { find, forgetting, openRecallHome, turn } from './support/recall-homes.ts'

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

it.each(['before', 'after'] as const)('survives a connection that is lost %s the server has the statement', async (when) => {
  const schema = newSchema()
  const through = new URL(url)
  through.port = String(proxy.port)
  const pool = new pg.Pool({ connectionString: through.href, max: 2 })
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
