/** `@hermes/postgres`: storage and a queue of reviews in PostgreSQL. */
export type { PostgresBackendOptions, PostgresReviewQueueOptions } from './check-options.ts'
export type { PostgresClient } from './drivers/detect-driver.ts'
export { postgresBackend } from './postgres-backend.ts'
export { postgresReviewQueue } from './postgres-review-queue.ts'
export { migrate } from './schema/migrate.ts'
export { type MigrationSqlOptions, migrationSql } from './schema/migration-sql.ts'
