/** `Pool` of `pg`, and those with the same methods: `Pool` of `@neondatabase/serverless` and of `@vercel/postgres`. */
import { isConnectionAlive } from '../failures/judge-failure.ts'
import { batchBy, type Driver, type Query, type Row, type Transact } from './driver.ts'
import { hasMethods } from './has-methods.ts'

interface PgQueryable {
  query(statement: { text: string; values?: unknown[] }): Promise<{ rows: Row[] }>
}

export interface PgPoolClient extends PgQueryable {
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean): void
}

export interface PgPool extends PgQueryable {
  connect(): Promise<PgPoolClient>
  /** Connections of the pool; a single `Client` has no such count. */
  readonly totalCount: number
}

export const isPgPool = (client: unknown): client is PgPool =>
  hasMethods(client, ['connect', 'query']) && typeof client === 'object' && 'totalCount' in client && typeof client.totalCount === 'number'

/** Unnamed statements: a pooler in transaction mode may give each one another connection. */
const queryOf =
  (on: PgQueryable): Query =>
  async (text, values = []) =>
    (await on.query({ text, values: [...values] })).rows

export const pgPoolDriver = (pool: PgPool): Driver => {
  const transact: Transact = async (work) => {
    const client = await pool.connect()
    // Without a listener, a connection that is lost between two statements would end the process. The next statement reports it.
    const ignore = () => undefined
    client.on('error', ignore)
    let destroy = false
    const query = queryOf(client)
    try {
      await query('begin isolation level read committed')
      const result = await work(query)
      await query('commit')
      return result
    } catch (cause) {
      destroy = !isConnectionAlive(cause)
      if (!destroy) await query('rollback').catch(() => (destroy = true))
      throw cause
    } finally {
      client.removeListener('error', ignore)
      client.release(destroy)
    }
  }
  return { query: queryOf(pool), batch: batchBy(transact), transact }
}
