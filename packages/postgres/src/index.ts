/** `@hermes/postgres`: storage in PostgreSQL. */
export type { PostgresBackendOptions } from './check-options.ts'
export type { PostgresClient } from './drivers/detect-driver.ts'
export { postgresBackend } from './postgres-backend.ts'
export { migrate } from './schema/migrate.ts'
export { type MigrationSqlOptions, migrationSql } from './schema/migration-sql.ts'
