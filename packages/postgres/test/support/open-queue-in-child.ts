/** Opens the queue in a process of its own; its client ends with the queue. */
import type { ReviewQueue } from '@hermes/core/queue'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { postgresReviewQueue } from '../../src/postgres-review-queue.ts'
import type { ChildConfig } from './open-in-child.ts'

const ending = (queue: ReviewQueue, end: () => Promise<void>): ReviewQueue => ({
  ...queue,
  close: async () => {
    await queue.close()
    await end()
  },
})

export const open = async ({ url, schema, driver, endpoint = '' }: ChildConfig): Promise<ReviewQueue> => {
  if (driver === 'neon') {
    neonConfig.fetchEndpoint = () => endpoint
    return postgresReviewQueue(neon(url), { schema, timeoutMs: 60_000 })
  }
  if (driver === 'postgres.js') {
    const sql = postgres(url, { max: 4, onnotice: () => undefined })
    return ending(postgresReviewQueue(sql, { schema, timeoutMs: 60_000 }), () => sql.end())
  }
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)
  return ending(postgresReviewQueue(pool, { schema, timeoutMs: 60_000 }), () => pool.end())
}
