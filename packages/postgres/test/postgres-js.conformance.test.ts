/** The promises of a storage on the `sql` of postgres.js. */
import { storageConformance } from '@hermes/testing'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { SECOND_EXTENT, STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
// Settings that change what a client returns must not matter.
const sql = postgres(url, { max: 10, onnotice: () => undefined, transform: postgres.camel })
afterAll(() => sql.end())

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

const schema = newSchema()

storageConformance(
  'postgres.js',
  async () => {
    await migrate(sql, { schema })
    return {
      // On a busy machine, 400 updates that wait for each other take longer than the usual limit.
      open: async () => postgresBackend(sql, { schema, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => sql.unsafe(text), schema, 'documents'),
      openInChild: { module, config: { url, schema, driver: 'postgres.js' } },
    }
  },
  { ...STORAGE_ROUNDS, extent: SECOND_EXTENT },
)
