/** The migrations as SQL, for `migrate` and for those who run it by hand. */
import { type Migration, type MigrationSet, RECALL_TABLES, STORAGE_TABLES } from './migrations.ts'
import { type SchemaNames, schemaNames } from './schema-name.ts'

/** Any number will do; it is the same in all versions of the library, so that their migrations wait for each other. */
const MIGRATION_LOCK = 4_772_036_151_206

export interface MigrationSqlOptions {
  /** The schema of the tables. Default 'hermes'. */
  readonly schema?: string
  /** With the tables of `postgresRecallIndex`. Default false. */
  readonly recall?: boolean
}

const record = (table: string, { number, needs }: Migration): string =>
  `insert into ${table} (number, needs) values (${number}, ${needs}) on conflict (number) do nothing`

/** What a caller of `migrate` asks for. */
export const requestedSets = (recall: boolean): readonly MigrationSet[] => (recall ? [STORAGE_TABLES, RECALL_TABLES] : [STORAGE_TABLES])

/** Statements for one transaction: the steps of a set after `since`, in order. Other migrations wait until it ends. */
export const migrationStatements = (
  { table, steps }: MigrationSet,
  names: SchemaNames,
  since: number,
  withSchema: boolean,
): readonly string[] => [
  `select pg_advisory_xact_lock(${MIGRATION_LOCK})::text`,
  ...(withSchema ? [`create schema if not exists ${names.quoted}`] : []),
  `
create table if not exists ${table(names)} (
  number integer primary key,
  needs integer not null,
  applied_at timestamptz not null default now()
)`,
  ...steps.filter(({ number }) => number > since).flatMap((migration) => [...migration.statements(names), record(table(names), migration)]),
]

/**
 * The SQL that creates the tables, as text for psql; can be run again, and after an update of the library. For databases whose user may
 * not create tables. Throws a TypeError for an impossible schema name.
 */
export const migrationSql = ({ schema = 'hermes', recall = false }: MigrationSqlOptions = {}): string =>
  ['begin', ...requestedSets(recall).flatMap((set) => migrationStatements(set, schemaNames(schema), 0, true)), 'commit']
    .map((statement) => `${statement.trim()};\n`)
    .join('\n')
