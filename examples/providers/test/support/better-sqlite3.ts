/** mem0's open-source edition asks for `better-sqlite3`, which has to be compiled; Node's own SQLite with the same methods, for tests. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'

export class Database {
  readonly #db: DatabaseSync

  constructor(path: string) {
    this.#db = new DatabaseSync(path)
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  prepare(sql: string): StatementSync {
    return this.#db.prepare(sql)
  }

  transaction<Arguments extends readonly unknown[]>(work: (...values: Arguments) => void): (...values: Arguments) => void {
    return (...values) => {
      this.#db.exec('begin')
      try {
        work(...values)
        this.#db.exec('commit')
      } catch (cause) {
        this.#db.exec('rollback')
        throw cause
      }
    }
  }

  close(): void {
    this.#db.close()
  }
}

// biome-ignore lint/style/noDefaultExport: what better-sqlite3 exports.
export { Database as default }
