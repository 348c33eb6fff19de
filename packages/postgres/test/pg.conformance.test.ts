/** The promises of a storage on `Pool` of pg, processes and kills included. */
import { storageConformance } from '@hermes/core/testing'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { migrate, postgresBackend } from '../src/index.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pool = new pg.Pool({ connectionString: url, max: 10 })
afterAll(() => pool.end())

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

const schema = newSchema()

storageConformance(
  'pg',
  async () => {
    await migrate(pool, { schema })
    return {
      // On a busy machine, 400 updates that wait for each other take longer than the usual limit.
      open: async () => postgresBackend(pool, { schema, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => pool.query(text), schema, 'documents'),
      processes: { module, config: { url, schema, driver: 'pg' } },
    }
  },
  STORAGE_ROUNDS,
)
