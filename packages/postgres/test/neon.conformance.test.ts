/** The promises of a storage on Neon's HTTP client. */
import { storageConformance } from '@hermes/core/testing'
import { neon, neonConfig } from '@neondatabase/serverless'
import { afterAll, beforeAll, inject } from 'vitest'
import { migrate, postgresBackend } from '../src/index.ts'
import { createNeonEndpoint, type NeonEndpoint } from './support/neon-endpoint.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
let endpoint: NeonEndpoint
beforeAll(async () => {
  endpoint = await createNeonEndpoint()
  neonConfig.fetchEndpoint = () => endpoint.url
})
afterAll(() => endpoint.close())

const schema = newSchema()

storageConformance('Neon over HTTP', async () => {
  const sql = neon(url)
  await migrate(sql, { schema })
  return {
    open: async () => postgresBackend(sql, { schema, timeoutMs: 60_000 }),
    dispose: () => emptyTables((text) => sql.query(text), schema, 'documents'),
  }
})
