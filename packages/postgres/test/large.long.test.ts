/** Long documents, many of them in one update, with every client. */
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { expect, inject, it } from 'vitest'
import type { PostgresClient } from '../src/drivers/detect-driver.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { unwrap } from './support/entries.ts'
import { createNeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'
import { pglite } from './support/pglite.ts'

const url = inject('postgresUrl')
const MEGABYTE = 1024 * 1024

const random = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 17 + (index >> 8)) & 255)

const clients: Readonly<Record<string, () => Promise<readonly [PostgresClient, () => Promise<unknown>]>>> = {
  pg: async () => {
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    return [pool, () => pool.end()]
  },
  'postgres.js': async () => {
    const sql = postgres(url, { max: 2, onnotice: () => undefined })
    return [sql, () => sql.end()]
  },
  neon: async () => {
    const endpoint = await createNeonEndpoint()
    neonConfig.fetchEndpoint = () => endpoint.url
    return [neon(url), endpoint.close]
  },
  PGlite: async () => [pglite, async () => undefined],
}

it.each(Object.keys(clients))('%s takes a document of 16 MB, and 200 documents in one update', async (name) => {
  const [client, end] = (await clients[name]?.()) ?? []
  if (!client) throw new Error(name)
  const schema = newSchema()
  const storage = postgresBackend(client, { schema, timeoutMs: 60_000 })
  const big = random(16 * MEGABYTE, 1)
  unwrap(await storage.update(['big'], () => ({ put: { big }, value: 0 })))
  unwrap(await storage.update(['big'], (cut) => ({ append: { big: new Uint8Array([1, 2, 3]) }, value: cut.document('big')?.bytes.length })))
  const found = unwrap(await storage.read(['big'])).document('big')?.bytes ?? new Uint8Array()
  expect(Buffer.compare(found, Buffer.concat([big, new Uint8Array([1, 2, 3])]))).toBe(0)
  const paths = Array.from({ length: 200 }, (_, index) => `many/${index}`)
  const put = Object.fromEntries(paths.map((path, index) => [path, random(10_000 + index, index)]))
  unwrap(await storage.update(['many/'], () => ({ put, value: 0 })))
  const cut = unwrap(await storage.read([...paths, 'many/']))
  expect(cut.list('many/')).toHaveLength(200)
  for (const path of paths) expect(Buffer.compare(cut.document(path)?.bytes ?? new Uint8Array(), put[path] ?? new Uint8Array())).toBe(0)
  await storage.close()
  await end?.()
})
