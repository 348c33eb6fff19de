/** `PGlite` of `@electric-sql/pglite`: PostgreSQL inside this process. */
import { batchBy, type Driver, type Query, type Row, type Transact } from './driver.ts'
import { hasMethods } from './has-methods.ts'

interface PGliteQueryable {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export interface PGliteClient extends PGliteQueryable {
  exec(text: string): Promise<unknown>
  transaction<T>(work: (transaction: PGliteQueryable) => Promise<T>): Promise<T>
}

export const isPGlite = (client: unknown): client is PGliteClient =>
  typeof client === 'object' && hasMethods(client, ['exec', 'query', 'transaction'])

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null

const queryOf =
  (on: PGliteQueryable): Query =>
  async (text, values = []) =>
    (await on.query(text, [...values])).rows.filter(isRow)

export const pgliteDriver = (database: PGliteClient): Driver => {
  const transact: Transact = (work) => database.transaction((transaction) => work(queryOf(transaction)))
  return { query: queryOf(database), batch: batchBy(transact) }
}
