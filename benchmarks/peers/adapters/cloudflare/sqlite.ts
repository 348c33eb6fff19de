/** What a Durable Object offers as `this.sql`, over SQLite in a file, so that the provider runs in Node. */
import { DatabaseSync } from 'node:sqlite'

type Value = string | number | boolean | null

export const openSqlite = (file: string) => {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 10000')
  return {
    sql: <T>(strings: TemplateStringsArray, ...values: Value[]): T[] =>
      database.prepare(strings.join('?')).all(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value))) as T[],
    close: () => database.close(),
  }
}
