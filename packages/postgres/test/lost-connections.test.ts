/** A connection that is lost at any statement: no change is lost once it is acknowledged, and none is applied twice. */
import type { StorageBackend } from '@hermes/core'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { firstOf } from '../../../scripts/support/rounds.ts'
import type { PostgresClient } from '../src/drivers/detect-driver.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { type CuttingProxy, createCuttingProxy } from './support/cutting-proxy.ts'
import { addEntry, bytes, codeOf, entriesAt, move, pathsIn, put, textAt, unwrap } from './support/entries.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'

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
