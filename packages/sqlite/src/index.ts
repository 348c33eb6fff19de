/** `@hermes/sqlite`: storage in one SQLite file. */
export { type SqliteBackendOptions, sqliteBackend } from './sqlite-backend.ts'
