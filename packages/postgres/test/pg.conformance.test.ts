/** The promises of a storage on `Pool` of pg, and of two pools. */
import { storageConformance } from '@hermes/core/testing'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { migrate, postgresBackend } from '../src/index.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'

const url = inject('postgresUrl')
const pools = [0, 1].map(() => new pg.Pool({ connectionString: url, max: 10 }))
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

const schema = newSchema()

storageConformance('pg', async () => {
  const [pool, other] = pools as [pg.Pool, pg.Pool]
  await migrate(pool, { schema })
  let opened = 0
  return {
    open: async () => postgresBackend(opened++ % 2 === 0 ? pool : other, { schema, timeoutMs: 60_000 }),
    dispose: () => emptyTables((text) => pool.query(text), schema, 'documents'),
  }
})
