/** The promises of a storage on PGlite, within one process. */
import { PGlite } from '@electric-sql/pglite'
import { storageConformance } from '@hermes/core/testing'
import { afterAll } from 'vitest'
import { postgresBackend } from '../src/index.ts'
import { newSchema } from './support/new-schema.ts'

const database = new PGlite()
// It takes seconds to start, which are not part of any call's time.
await database.waitReady
afterAll(() => database.close())

storageConformance(
  'PGlite',
  async () => {
    const schema = newSchema()
    return {
      open: async () => postgresBackend(database, { schema }),
      dispose: async () => {
        await database.exec(`drop schema if exists ${schema} cascade`)
      },
    }
  },
  { processes: false },
)
