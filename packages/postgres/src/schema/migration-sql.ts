/** The migrations as SQL, for `migrate` and for those who run it by hand. */
import { MIGRATIONS, type Migration } from './migrations.ts'
import { type SchemaNames, schemaNames } from './schema-name.ts'

/** Any number will do; it is the same in all versions of the library, so that their migrations wait for each other. */
const MIGRATION_LOCK = 4_772_036_151_206

export interface MigrationSqlOptions {
  /** The schema of the tables. Default 'hermes'. */
  readonly schema?: string
}

const record = ({ migrations }: SchemaNames, { number, needs }: Migration): string =>
  `insert into ${migrations} (number, needs) values (${number}, ${needs}) on conflict (number) do nothing`

/** Statements for one transaction: the steps after `since`, in order. Other migrations wait until it ends. */
export const migrationStatements = (names: SchemaNames, since: number, withSchema: boolean): readonly string[] => [
  `select pg_advisory_xact_lock(${MIGRATION_LOCK})::text`,
  ...(withSchema ? [`create schema if not exists ${names.quoted}`] : []),
  `
create table if not exists ${names.migrations} (
  number integer primary key,
  needs integer not null,
  applied_at timestamptz not null default now()
)`,
  ...MIGRATIONS.filter(({ number }) => number > since).flatMap((migration) => [...migration.statements(names), record(names, migration)]),
]

/**
 * The SQL that creates the tables, as text for psql; can be run again, and after an update of the library. For databases whose user may
 * not create tables. Throws a TypeError for an impossible schema name.
 */
export const migrationSql = ({ schema = 'hermes' }: MigrationSqlOptions = {}): string =>
  ['begin', ...migrationStatements(schemaNames(schema), 0, true), 'commit'].map((statement) => `${statement.trim()};\n`).join('\n')
