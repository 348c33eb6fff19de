/** The promises of a storage, processes and kills included: whole on two pools of pg, and their wiring on the other clients. */
import { storageConformance } from '@hermes/testing'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { SECOND_EXTENT, STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pools = [0, 1].map(() => new pg.Pool({ connectionString: url, max: 10 }))
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

const SCHEMAS = { pg: newSchema(), neon: newSchema(), js: newSchema() }

storageConformance(
  'pg',
  async () => {
    const [pool, other] = pools as [pg.Pool, pg.Pool]
    await migrate(pool, { schema: SCHEMAS.pg })
    let opened = 0
    return {
      open: async () => postgresBackend(opened++ % 2 === 0 ? pool : other, { schema: SCHEMAS.pg, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => pool.query(text), SCHEMAS.pg, 'documents'),
      openInChild: { module, config: { url, schema: SCHEMAS.pg, driver: 'pg' } },
    }
  },
  STORAGE_ROUNDS,
)

let endpoint: NeonEndpoint
beforeAll(async () => {
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
})
afterAll(() => endpoint.close())

storageConformance(
  'Neon over HTTP',
  async () => {
    const sql = neon(url)
    await migrate(sql, { schema: SCHEMAS.neon })
    return {
      open: async () => postgresBackend(sql, { schema: SCHEMAS.neon, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => sql.query(text), SCHEMAS.neon, 'documents'),
      openInChild: { module, config: { url, schema: SCHEMAS.neon, driver: 'neon', endpoint: endpoint.url } },
    }
  },
  { ...STORAGE_ROUNDS, extent: SECOND_EXTENT },
)

// Settings that change what a client returns must not matter.
const sql = postgres(url, { max: 10, onnotice: () => undefined, transform: postgres.camel })
afterAll(() => sql.end())

storageConformance(
  'postgres.js',
  async () => {
    await migrate(sql, { schema: SCHEMAS.js })
    return {
      // On a busy machine, 400 updates that wait for each other take longer than the usual limit.
      open: async () => postgresBackend(sql, { schema: SCHEMAS.js, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => sql.unsafe(text), SCHEMAS.js, 'documents'),
      openInChild: { module, config: { url, schema: SCHEMAS.js, driver: 'postgres.js' } },
    }
  },
  { ...STORAGE_ROUNDS, extent: SECOND_EXTENT },
)
