/**
 * `sql` of `postgres` (postgres.js), without its transactions: version 3.4 ends the process if a connection is lost within one, because it
 * writes its rollback to the closed socket. Single statements are enough for every call.
 */
import type { Driver, Row } from './driver.ts'
import { hasMethods } from './has-methods.ts'

interface PostgresJsQuery extends PromiseLike<readonly Row[]> {
  simple(): PromiseLike<unknown>
}

export interface PostgresJs {
  /** Only `sql` has it, not the one within a transaction. */
  begin: unknown
  // biome-ignore lint/suspicious/noExplicitAny: the type of a value depends on the host's own type mapping
  unsafe(text: string, values?: any[], options?: { prepare?: boolean; onexecute?: () => boolean }): PostgresJsQuery
}

export const isPostgresJs = (client: unknown): client is PostgresJs =>
  typeof client === 'function' && hasMethods(client, ['begin', 'unsafe'])

/**
 * Sends nothing more on the connection before the answer is there. Of statements without values version 3.4 would, and PgBouncer 1.18 in transaction mode
 * gives the next one no answer.
 */
const alone = { onexecute: () => false }

export const postgresJsDriver = (sql: PostgresJs): Driver => ({
  // Prepared unless the host's `sql` was made with `prepare: false`, as a pooler in transaction mode demands.
  query: (text, values = []) => Promise.resolve(sql.unsafe(text, [...values], { prepare: true, ...(values.length === 0 ? alone : {}) })),
  // Several statements in one simple query are one transaction.
  batch: async (statements) => {
    await sql.unsafe(statements.join(';\n'), [], alone).simple()
  },
})
