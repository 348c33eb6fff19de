/** Creates or updates the tables at a time of the host's choice, such as a deployment. */
import { err, ok, type Result } from '@hermes/core'
import { detectDriver, type PostgresClient } from '../drivers/detect-driver.ts'
import { judgeFailure } from '../failures/judge-failure.ts'
import { ensureSchema } from './ensure-schema.ts'
import { type MigrationSqlOptions, requestedSets } from './migration-sql.ts'
import { schemaNames } from './schema-name.ts'

/** Safe to call often, and by several processes at once. Throws a TypeError for an impossible client or schema name. */
export const migrate = async (
  client: PostgresClient,
  { schema = 'hermes', recall = false }: MigrationSqlOptions = {},
): Promise<Result<void>> => {
  const driver = detectDriver(client)
  const names = schemaNames(schema)
  try {
    for (const set of requestedSets(recall)) await ensureSchema(driver, names, set)
    return ok(undefined)
  } catch (cause) {
    return err(judgeFailure(cause).error)
  }
}
