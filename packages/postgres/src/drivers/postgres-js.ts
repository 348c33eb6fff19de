/** `sql` of `postgres` (postgres.js). */
import { batchBy, type Driver, type Query, type Row, type Transact } from './driver.ts'
import { hasMethods } from './has-methods.ts'

interface PostgresJsQueryable {
  // The values are typed as loosely as the clients' own generic types require.
  // biome-ignore lint/suspicious/noExplicitAny: the type of a value depends on the host's own type mapping
  unsafe(text: string, values?: any[], options?: { prepare?: boolean }): PromiseLike<readonly Row[]>
}

export interface PostgresJs extends PostgresJsQueryable {
  begin(options: string, work: (transaction: PostgresJsQueryable) => Promise<void>): Promise<unknown>
}

export const isPostgresJs = (client: unknown): client is PostgresJs =>
  typeof client === 'function' && hasMethods(client, ['begin', 'unsafe'])

/** Prepares statements unless the host's `sql` was made with `prepare: false`, as a pooler in transaction mode demands. */
const queryOf =
  (on: PostgresJsQueryable): Query =>
  (text, values = []) =>
    Promise.resolve(on.unsafe(text, [...values], { prepare: true }))

export const postgresJsDriver = (sql: PostgresJs): Driver => {
  const transact: Transact = async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const results: { readonly value: T }[] = []
    await sql.begin('isolation level read committed', async (transaction) => {
      results.push({ value: await work(queryOf(transaction)) })
    })
    const [result] = results
    if (!result) throw new TypeError('The begin() of this client did not run the transaction.')
    return result.value
  }
  return { query: queryOf(sql), batch: batchBy(transact), transact }
}
