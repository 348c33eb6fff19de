/** `@hermes/sqlite`: storage and a queue of reviews in one SQLite file. */
export { type SqliteBackendOptions, sqliteBackend } from './sqlite-backend.ts'
export { type SqliteReviewQueueOptions, sqliteReviewQueue } from './sqlite-review-queue.ts'
