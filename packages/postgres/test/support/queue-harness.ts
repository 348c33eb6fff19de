import { bundledModule } from '../../../../scripts/support/bundled-program.ts'
import type { PostgresClient } from '../../src/drivers/detect-driver.ts'
import { postgresReviewQueue } from '../../src/postgres-review-queue.ts'
import { migrate } from '../../src/schema/migrate.ts'
import { emptyTables } from './new-schema.ts'
import type { ChildConfig } from './open-in-child.ts'

const moduleOfChild = () => bundledModule(new URL('./open-queue-in-child.ts', import.meta.url))

/**
 * A queue of reviews on a client, with the tables of a schema. `run` sends a statement to its database. `processes`: how other processes reach it. The server runs on
 * this machine, so its clock is this process's.
 */
export const queueHarness = async (
  client: PostgresClient,
  schema: string,
  run: (statement: string) => Promise<unknown>,
  processes?: Omit<ChildConfig, 'schema'>,
) => {
  await migrate(client, { schema })
  return {
    // Its first call looks at the tables, which a lease of the tests should not wait for.
    open: async () => {
      const queue = postgresReviewQueue(client, { schema, timeoutMs: 60_000 })
      await queue.stats()
      return queue
    },
    now: () => Date.now(),
    // All times move back instead of waiting. The case with processes lets leases pass in real time.
    pass: async (ms: number) => {
      const earlier = ['due_at', 'lease_until', 'added_due_at'].map((column) => `${column} = ${column} - ${ms}`)
      await run(`update ${schema}.hermes_reviews set ${earlier.join(', ')}`)
    },
    dispose: () => emptyTables(run, schema, 'reviews'),
    ...(processes ? { openInChild: { module: moduleOfChild(), config: { ...processes, schema } } } : {}),
  }
}
