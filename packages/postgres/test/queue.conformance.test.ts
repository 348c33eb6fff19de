/** The promises of a queue of reviews on each client: processes and kills included, but for PGlite. */
import { setTimeout as wait } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { reviewQueueConformance } from '@hermes/core/testing'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { migrate, type PostgresClient, postgresReviewQueue } from '../src/index.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'
import type { ChildConfig } from './support/open-in-child.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
// Settings that change what a client returns must not matter.
const sql = postgres(url, { max: 10, onnotice: () => undefined, transform: postgres.camel })
const pglite = new PGlite()
// It takes seconds to start, which are not part of any call's time.
await pglite.waitReady
let endpoint: NeonEndpoint

beforeAll(async () => {
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
  // Starting it takes seconds, in which the leases of other tests would pass.
  await pglite.waitReady
})
afterAll(async () => {
  await Promise.all([pool.end(), sql.end(), pglite.close(), endpoint.close()])
})

const module = new URL('./support/open-queue-in-child.ts', import.meta.url).href

/** The server runs on this machine, so its clock is this process's. */
const harnessOf = async (client: PostgresClient, drop: (statement: string) => Promise<unknown>, driver?: ChildConfig['driver']) => {
  const schema = newSchema()
  await migrate(client, { schema })
  return {
    // Its first call looks at the tables, which a lease of the tests should not wait for.
    open: async () => {
      const queue = postgresReviewQueue(client, { schema })
      await queue.stats()
      return queue
    },
    now: () => Date.now(),
    pass: (ms: number) => wait(ms),
    dispose: async () => {
      await drop(`drop schema if exists ${schema} cascade`)
    },
    ...(driver ? { processes: { module, config: { url, schema, driver, endpoint: endpoint.url } } } : {}),
  }
}

reviewQueueConformance('pg', () => harnessOf(pool, (text) => pool.query(text), 'pg'))
reviewQueueConformance('postgres.js', () => harnessOf(sql, (text) => sql.unsafe(text), 'postgres.js'))
reviewQueueConformance('Neon over HTTP', () => harnessOf(neon(url), (text) => pool.query(text), 'neon'))
reviewQueueConformance('PGlite', () => harnessOf(pglite, (text) => pglite.exec(text)), { processes: false })
