/** All promises on PGlite, within one process. */
import { reviewQueueConformance, storageConformance } from '@hermes/testing'
import { postgresBackend } from '../src/postgres-backend.ts'
import { migrate } from '../src/schema/migrate.ts'
import { emptyTables, newSchema } from './support/new-schema.ts'
import { pglite } from './support/pglite.ts'
import { queueHarness } from './support/queue-harness.ts'
import { recallIndexPromises } from './support/recall-index-promises.ts'

const schema = newSchema()

storageConformance(
  'PGlite',
  async () => {
    await migrate(pglite, { schema })
    return {
      open: async () => postgresBackend(pglite, { schema, timeoutMs: 60_000 }),
      dispose: () => emptyTables((text) => pglite.exec(text), schema, 'documents'),
    }
  },
  { processes: false },
)

reviewQueueConformance('PGlite', () => queueHarness(pglite, schema, (text) => pglite.exec(text)), { processes: false })

recallIndexPromises(
  'PGlite',
  () => pglite,
  (text) => pglite.exec(text),
)
