/** The index over past sessions, on the other clients with a server. */
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { recallIndexPromises } from './support/recall-index-promises.ts'

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

recallIndexPromises(
  'postgres.js',
  () => sql,
  (text) => sql.unsafe(text),
)

recallIndexPromises(
  'Neon over HTTP',
  () => neon(url),
  (text) => pool.query(text),
)
