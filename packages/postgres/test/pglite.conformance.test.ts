/** The promises of a storage on PGlite, within one process. */
import { storageConformance } from '@hermes/core/testing'
import { SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { postgresBackend } from '../src/index.ts'
import { newSchema } from './support/new-schema.ts'
import { pglite } from './support/pglite.ts'

storageConformance(
  'PGlite',
  async () => {
    const schema = newSchema()
    return {
      open: async () => postgresBackend(pglite, { schema, timeoutMs: 60_000 }),
      dispose: async () => {
        await pglite.exec(`drop schema if exists ${schema} cascade`)
      },
    }
  },
  { processes: false, extent: SECOND_EXTENT },
)
