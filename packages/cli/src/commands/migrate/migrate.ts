/** `hermes migrate`: creates or updates the tables of Hermes in PostgreSQL, or prints the SQL for it. */
import { type Answer, failed, isFailure, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { type DatabaseAddress, loadClient, loadMigrations, readAddress } from './postgres.ts'

/** What is created: the schema, with or without the tables of recall. */
interface Tables {
  readonly schema: string
  readonly recall: boolean
}

const CONNECT_LIMIT_MS = 15_000
const NO_RIGHT = '42501'

const print = (tables: Tables): Answer => {
  const migrations = loadMigrations('@hermes/postgres')
  if (isFailure(migrations)) return failed(migrations)
  const sql = migrations.migrationSql(tables)
  return { value: { schema: tables.schema, sql }, text: () => sql }
}

const apply = async ({ connectionString, label }: DatabaseAddress, tables: Tables): Promise<Answer> => {
  const { schema, recall } = tables
  const migrations = loadMigrations('@hermes/postgres pg')
  if (isFailure(migrations)) return failed(migrations)
  const client = loadClient('@hermes/postgres pg')
  if (isFailure(client)) return failed(client)
  // The name is checked before anything is connected.
  migrations.migrationSql(tables)
  const pool = new client.Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_LIMIT_MS })
  // The call that uses the connection reports its loss.
  pool.on('error', () => undefined)
  try {
    const migrated = await migrations.migrate(pool, tables)
    if (migrated.ok)
      return { value: { schema, database: label }, text: () => cleanText(`The schema '${schema}' at ${label} is up to date.\n`) }
    const { code, message, details } = migrated.error
    if (details['databaseCode'] !== NO_RIGHT) return failed({ code, message, details })
    const command = `hermes migrate --print --schema ${schema}${recall ? ' --recall' : ''} | psql <connection of the owner>`
    return failed({
      code,
      message: `The database user may not create or update the tables of Hermes in the schema '${schema}'. Have their owner run: ${command}`,
      details,
    })
  } finally {
    await pool.end()
  }
}

export const migrateCommand = defineCommand({
  describe: 'Create or update the tables of Hermes in PostgreSQL. Safe to repeat; needs the packages @hermes/postgres and pg.',
  examples: [
    ['hermes migrate', 'in the database of DATABASE_URL, before a deployment'],
    ['hermes migrate --print | psql "$OWNER_URL"', 'as the owner, if the user of the app may not create tables'],
  ],
  options: (parser) =>
    parser
      .option('database', {
        type: 'string',
        requiresArg: true,
        describe: 'postgres://user@host/name  [default: $DATABASE_URL, which keeps a password out of the list of processes]',
      })
      .option('schema', { type: 'string', requiresArg: true, default: 'hermes', describe: 'schema of the tables' })
      .option('recall', { type: 'boolean', default: false, describe: 'with the tables of the recall index' })
      .option('print', { type: 'boolean', describe: 'print the SQL instead; needs @hermes/postgres alone' }),
  withoutConfig: true,
  withoutHome: true,
  run: async ({ database, schema, recall, print: isPrint = false, user }, { world }) => {
    if (user !== undefined) return failed(usage('The tables are for everybody: leave out --user.'))
    if (isPrint && database !== undefined) return failed(usage('--print writes the SQL and connects to nothing: leave out --database.'))
    try {
      if (isPrint) return print({ schema, recall })
      const address = readAddress(database, world.env['DATABASE_URL'])
      return isFailure(address) ? failed(address) : await apply(address, { schema, recall })
    } catch (cause) {
      // The name of the schema.
      if (cause instanceof TypeError) return failed(usage(cause.message))
      throw cause
    }
  },
})
