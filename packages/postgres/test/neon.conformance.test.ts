/** The promises of a storage on Neon's HTTP client. */
import { storageConformance } from '@hermes/testing'
import { neon, neonConfig } from '@neondatabase/serverless'
import { afterAll, beforeAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { SECOND_EXTENT, STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
let endpoint: NeonEndpoint
beforeAll(async () => {
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
})
afterAll(() => endpoint.close())

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

const schema = newSchema()

storageConformance(
  'Neon over HTTP',
  async () => {
    const sql = neon(url)
    await migrate(sql, { schema })
    return {
      open: async () => postgresBackend(sql, { schema, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => sql.query(text), schema, 'documents'),
      openInChild: { module, config: { url, schema, driver: 'neon', endpoint: endpoint.url } },
    }
  },
  { ...STORAGE_ROUNDS, extent: SECOND_EXTENT },
)
