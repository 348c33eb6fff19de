/** The promises of a queue of reviews on each client: with pg all of them, processes and kills included; with the others all but processes on PGlite, in the long run. */
import { reviewQueueConformance } from '@hermes/core/testing'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { QUEUE_ROUNDS, SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { migrate, type PostgresClient, postgresReviewQueue } from '../src/index.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'
import type { ChildConfig } from './support/open-in-child.ts'
import { pglite } from './support/pglite.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
// Settings that change what a client returns must not matter.
const sql = postgres(url, { max: 10, onnotice: () => undefined, transform: postgres.camel })
let endpoint: NeonEndpoint

beforeAll(async () => {
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
})
afterAll(async () => {
  await Promise.all([pool.end(), sql.end(), endpoint.close()])
})

const module = bundledModule(new URL('./support/open-queue-in-child.ts', import.meta.url))

/** The server runs on this machine, so its clock is this process's. */
const harnessOf = async (client: PostgresClient, run: (statement: string) => Promise<unknown>, driver?: ChildConfig['driver']) => {
  const schema = newSchema()
  await migrate(client, { schema })
  return {
    // Its first call looks at the tables, which a lease of the tests should not wait for.
    open: async () => {
      const queue = postgresReviewQueue(client, { schema, timeoutMs: 60_000 })
      await queue.stats()
      return queue
    },
    now: () => Date.now(),
    // All times move back instead of waiting. The case with processes lets leases pass in real time.
    pass: async (ms: number) => {
      const earlier = ['due_at', 'lease_until', 'added_due_at'].map((column) => `${column} = ${column} - ${ms}`)
      await run(`update ${schema}.hermes_reviews set ${earlier.join(', ')}`)
    },
    dispose: async () => {
      await run(`drop schema if exists ${schema} cascade`)
    },
    ...(driver ? { processes: { module, config: { url, schema, driver, endpoint: endpoint.url } } } : {}),
  }
}

reviewQueueConformance('pg', () => harnessOf(pool, (text) => pool.query(text), 'pg'), QUEUE_ROUNDS)
reviewQueueConformance('postgres.js', () => harnessOf(sql, (text) => sql.unsafe(text), 'postgres.js'), { extent: SECOND_EXTENT })
reviewQueueConformance('Neon over HTTP', () => harnessOf(neon(url), (text) => pool.query(text), 'neon'), { extent: SECOND_EXTENT })
reviewQueueConformance('PGlite', () => harnessOf(pglite, (text) => pglite.exec(text)), { processes: false, extent: SECOND_EXTENT })
