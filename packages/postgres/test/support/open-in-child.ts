/** Opens the storage in a process of its own; its client ends with the back end. */
import type { StorageBackend } from '@hermes/core'
import { neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import postgres from 'postgres'
import { postgresBackend } from '../../src/postgres-backend.ts'

export interface ChildConfig {
  readonly url: string
  readonly schema: string
  readonly driver: 'pg' | 'postgres.js' | 'neon'
  /** Where Neon's client sends its requests. */
  readonly endpoint?: string
  /** Default 60,000. */
  readonly timeoutMs?: number
}

const ending = (backend: StorageBackend, end: () => Promise<void>): StorageBackend => ({
  ...backend,
  close: async () => {
    await backend.close()
    await end()
  },
})

export const open = async ({ url, schema, driver, endpoint = '', timeoutMs = 60_000 }: ChildConfig): Promise<StorageBackend> => {
  if (driver === 'neon') {
    neonConfig.fetchEndpoint = () => endpoint
    return postgresBackend(neon(url), { schema, timeoutMs })
  }
  if (driver === 'postgres.js') {
    const sql = postgres(url, { max: 4, onnotice: () => undefined })
    return ending(postgresBackend(sql, { schema, timeoutMs }), () => sql.end())
  }
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)
  return ending(postgresBackend(pool, { schema, timeoutMs }), () => pool.end())
}
