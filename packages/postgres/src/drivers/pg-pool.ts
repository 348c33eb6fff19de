/** `Pool` of `pg`, and those with the same methods: `Pool` of `@neondatabase/serverless` and of `@vercel/postgres`. */
import { isConnectionAlive } from '../failures/judge-failure.ts'
import { batchBy, type Driver, type Query, type Row, type Transact } from './driver.ts'
import { hasMethods } from './has-methods.ts'

interface PgQueryable {
  query(statement: { text: string; values?: unknown[] }): Promise<{ rows: Row[] }>
}

interface PgPoolClient extends PgQueryable {
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean): void
}

export interface PgPool extends PgQueryable {
  connect(callback: (error: Error | undefined, client: PgPoolClient | undefined) => void): void
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

// The next statement on the connection reports it.
const ignore = (): void => undefined

/**
 * A connection that is lost between two statements would end the process if no one listened. The listener is added before the pool goes
 * on, since the end may come with the same packet as the connection.
 */
const takeClient = (pool: PgPool): Promise<PgPoolClient> =>
  new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (!client) return reject(error ?? new Error('The pool gave no connection.'))
      client.on('error', ignore)
      resolve(client)
    })
  })

export const pgPoolDriver = (pool: PgPool): Driver => {
  const transact: Transact = async (work) => {
    const client = await takeClient(pool)
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
      // From here on the pool listens.
      client.release(destroy)
      client.removeListener('error', ignore)
    }
  }
  return { query: queryOf(pool), batch: batchBy(transact) }
}
