/** The promises of a storage on the `sql` of postgres.js; processes and kills in the long run. */
import { storageConformance } from '@hermes/core/testing'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/index.ts'
import { newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
// Settings that change what a client returns must not matter.
const sql = postgres(url, { max: 10, onnotice: () => undefined, transform: postgres.camel })
afterAll(() => sql.end())

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

storageConformance(
  'postgres.js',
  async () => {
    const schema = newSchema()
    return {
      // On a busy machine, 400 updates that wait for each other take longer than the usual limit.
      open: async () => postgresBackend(sql, { schema, timeoutMs: 60_000 }),
      dispose: async () => {
        await sql.unsafe(`drop schema if exists ${schema} cascade`)
      },
      processes: { module, config: { url, schema, driver: 'postgres.js' } },
    }
  },
  { extent: SECOND_EXTENT },
)
