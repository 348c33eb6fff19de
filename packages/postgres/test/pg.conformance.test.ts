/** The promises of a storage on two pools of pg, processes and kills included. */
import { storageConformance } from '@hermes/testing'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pools = [0, 1].map(() => new pg.Pool({ connectionString: url, max: 10 }))
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

const schema = newSchema()

storageConformance(
  'pg',
  async () => {
    const [pool, other] = pools as [pg.Pool, pg.Pool]
    await migrate(pool, { schema })
    let opened = 0
    return {
      open: async () => postgresBackend(opened++ % 2 === 0 ? pool : other, { schema, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => pool.query(text), schema, 'documents'),
      openInChild: { module, config: { url, schema, driver: 'pg' } },
    }
  },
  STORAGE_ROUNDS,
)
