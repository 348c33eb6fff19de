/** The promises of a queue of reviews on each client with a server: with pg all of them, processes and kills included; with the others in the long run. */
import { reviewQueueConformance } from '@hermes/testing'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { QUEUE_ROUNDS, SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { newSchema } from './support/new-schema.ts'
import { queueHarness } from './support/queue-harness.ts'

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

const SCHEMAS = { pg: newSchema(), js: newSchema(), neon: newSchema() }

reviewQueueConformance('pg', () => queueHarness(pool, SCHEMAS.pg, (text) => pool.query(text), { url, driver: 'pg' }), QUEUE_ROUNDS)
reviewQueueConformance('postgres.js', () => queueHarness(sql, SCHEMAS.js, (text) => sql.unsafe(text), { url, driver: 'postgres.js' }), {
  ...QUEUE_ROUNDS,
  extent: SECOND_EXTENT,
})
reviewQueueConformance(
  'Neon over HTTP',
  () => queueHarness(neon(url), SCHEMAS.neon, (text) => pool.query(text), { url, driver: 'neon', endpoint: endpoint.url }),
  { ...QUEUE_ROUNDS, extent: SECOND_EXTENT },
)
