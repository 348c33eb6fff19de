/** A connection that is lost at any statement: no change is lost once it is acknowledged, and none is applied twice. */

import type { StorageBackend } from '@hermes/core'
import { moveDocuments, readDocument, updateDocument } from '@hermes/core/storage'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { firstOf } from '../../../scripts/support/rounds.ts'
import { type PostgresClient, postgresBackend } from '../src/index.ts'
import { type CuttingProxy, createCuttingProxy } from './support/cutting-proxy.ts'
import { appending, bytes, codeOf, entriesAt, pathsIn, textAt, unwrap } from './support/entries.ts'
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
    const sql = postgres(proxied, { max: 3, onnotice: () => undefined })
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
      for (const path of SEEDED) unwrap(await updateDocument(other, path, () => bytes('first')))
      await run(tested, other)
    } finally {
      await tested.close()
      await end()
      await direct.query(`drop schema ${schema} cascade`)
    }
  }

describe.each(firstOf(Object.keys(CLIENTS)))('with %s', (name) => {
  const withTree = withTreeOf(name)

  it.each([
    ['update "', 'before'],
    ['update "', 'after'],
    ['select path', 'after'],
  ] as const)('applies an update once if the connection is lost at %s, %s the server has it', (text, when) =>
    withTree(async (tested, other) => {
      await readDocument(tested, 'log')
      const cuts = proxy.cuts()
      proxy.cutAt(text, when)
      const written = unwrap(await updateDocument(tested, 'log', appending('second')))
      unwrap(await updateDocument(tested, 'log', appending('third')))
      expect(proxy.cuts() - cuts).toBe(text === 'select path' ? 0 : 1)
      proxy.cutAt('nothing at all', 'before')
      expect(new TextDecoder().decode(written?.bytes)).toBe('first\nsecond')
      expect(await entriesAt(other, 'log')).toEqual(['first', 'second', 'third'])
    }),
  )

  it.each(['before', 'after'] as const)('creates a document once if the connection is lost %s the server has the statement', (when) =>
    withTree(async (tested, other) => {
      proxy.cutAt('hermes_create_document', when)
      unwrap(await updateDocument(tested, 'new/doc', appending('only')))
      expect(await entriesAt(other, 'new/doc')).toEqual(['only'])
    }),
  )

  it.each(['before', 'after'] as const)('removes a document if the connection is lost %s the server has the statement', (when) =>
    withTree(async (tested, other) => {
      await readDocument(tested, 'gone')
      proxy.cutAt('delete from', when)
      expect(unwrap(await updateDocument(tested, 'gone', () => undefined))).toBeUndefined()
      expect(await pathsIn(other)).toEqual(['folder/a', 'log'])
    }),
  )

  it.each(['before', 'after'] as const)('moves a folder once if the connection is lost %s the server has the statement', (when) =>
    withTree(async (tested, other) => {
      await readDocument(tested, 'log')
      proxy.cutAt('hermes_move_folder', when)
      expect(codeOf(await moveDocuments(tested, 'folder', 'moved'))).toBe('ok')
      expect(await pathsIn(other)).toEqual(['gone', 'log', 'moved/a'])
    }),
  )

  it('reads and lists again', () =>
    withTree(async (tested) => {
      await readDocument(tested, 'log')
      proxy.cutAt('select path', 'after')
      expect(await textAt(tested, 'log')).toBe('first')
      proxy.cutAt('octet_length', 'after')
      expect(await pathsIn(tested)).toEqual(['folder/a', 'gone', 'log'])
    }))
})

describe('under a lock', () => {
  const withTree = withTreeOf('pg')

  it.each([
    ['commit', 'before'],
    ['commit', 'after'],
    ['for update', 'after'],
    ['update "', 'after'],
  ] as const)('applies an update under a lock once if the connection is lost at %s, %s the server has it', (text, when) =>
    withTree(async (tested, other) => {
      // Overtaken, so the next update takes the lock.
      await readDocument(tested, 'log')
      unwrap(await updateDocument(other, 'log', appending('second')))
      const cuts = proxy.cuts()
      const overtaken = updateDocument(tested, 'log', appending('third'))
      proxy.cutAt(text === 'update "' ? 'set bytes' : text, when)
      unwrap(await overtaken)
      expect(proxy.cuts() - cuts).toBe(1)
      expect(await entriesAt(other, 'log')).toEqual(['first', 'second', 'third'])
    }),
  )
})

it('applies a change once over HTTP if the answer is lost, and says so where others hid the outcome', async () => {
  const schema = newSchema()
  const other = postgresBackend(direct, { schema })
  unwrap(await updateDocument(other, 'log', () => bytes('first')))
  const tested = postgresBackend(neon(url), { schema })
  await readDocument(tested, 'log')
  endpoint.loseNextAnswer()
  unwrap(await updateDocument(tested, 'log', appending('second')))
  expect(await entriesAt(other, 'log')).toEqual(['first', 'second'])

  let lose = () => {}
  endpoint.loseNextAnswer(
    new Promise<void>((resolve) => {
      lose = resolve
    }),
  )
  const hidden = updateDocument(tested, 'log', appending('third'))
  // Removed and created again before the connection is lost.
  await expect.poll(() => entriesAt(other, 'log')).toContain('third')
  unwrap(await updateDocument(other, 'log', () => undefined))
  unwrap(await updateDocument(other, 'log', () => bytes('anew')))
  lose()
  const outcome = await hidden
  expect(outcome).toMatchObject({ ok: false, error: { code: 'io', message: expect.stringContaining('unknown whether') } })
  expect(await entriesAt(other, 'log')).toEqual(['anew'])
  await direct.query(`drop schema ${schema} cascade`)
})
