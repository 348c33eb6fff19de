/** `hermes migrate`: creates or updates the tables of Hermes in PostgreSQL, or prints the SQL for it. */
import { type Answer, EXIT, type Failure, failed } from '../../answer.ts'
import { defineCommand, type GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { type DatabaseAddress, readAddress } from './database-address.ts'
import { isFailure, loadClient, loadMigrations } from './database-packages.ts'

interface MigrateArgs {
  readonly database: string | undefined
  readonly schema: string
  readonly print: boolean | undefined
  readonly recall: boolean
}

/** What is created: the schema, with or without the tables of recall. */
type Tables = Pick<MigrateArgs, 'schema' | 'recall'>

const CONNECT_LIMIT_MS = 15_000
const NO_RIGHT = '42501'

const usage = (message: string): Answer => failed({ code: 'usage', message, exitCode: EXIT.usage })

/** The SQL, or what is wrong with the name of the schema. */
const sqlFor = (tables: Tables, install: string): string | Failure => {
  const migrations = loadMigrations(install)
  if (isFailure(migrations)) return migrations
  try {
    return migrations.migrationSql(tables)
  } catch (cause) {
    if (cause instanceof TypeError) return { code: 'usage', message: cause.message, exitCode: EXIT.usage }
    throw cause
  }
}

const print = (tables: Tables): Answer => {
  const sql = sqlFor(tables, '@hermes/postgres')
  return typeof sql === 'string' ? { value: { schema: tables.schema, sql }, text: () => sql } : failed(sql)
}

const apply = async ({ connectionString, label }: DatabaseAddress, tables: Tables): Promise<Answer> => {
  const { schema, recall } = tables
  const install = '@hermes/postgres pg'
  const sql = sqlFor(tables, install)
  if (typeof sql !== 'string') return failed(sql)
  const migrations = loadMigrations(install)
  if (isFailure(migrations)) return failed(migrations)
  const client = loadClient(install)
  if (isFailure(client)) return failed(client)
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

const run = async (
  { database, schema, recall, print: isPrint = false, user }: MigrateArgs & GlobalArgs,
  { world }: Context,
): Promise<Answer> => {
  if (user !== undefined) return usage('The tables are for everybody: leave out --user.')
  if (isPrint && database !== undefined) return usage('--print writes the SQL and connects to nothing: leave out --database.')
  if (isPrint) return print({ schema, recall })
  const address = readAddress(database, world.env['DATABASE_URL'])
  return isFailure(address) ? failed(address) : apply(address, { schema, recall })
}

export const migrateCommand = defineCommand<MigrateArgs>({
  usage: 'migrate',
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
  run,
})
