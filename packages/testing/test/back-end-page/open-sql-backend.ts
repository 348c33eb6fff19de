/** The back end of docs/add-a-back-end.md on a database of SQLite, opened as a child process opens it. */
import { DatabaseSync } from 'node:sqlite'
import type { StorageBackend } from '@hermes/core'
import { type SqlBatch, sqlBackend, TABLES } from './sql-backend.ts'

const BUSY = 5

const isBusy = (cause: unknown): boolean => cause instanceof Error && 'errcode' in cause && (Number(cause.errcode) & 0xff) === BUSY

/** As a client of a database elsewhere would: every batch is answered later, and is one transaction. */
const batchOf = (db: DatabaseSync): SqlBatch => {
  const run: SqlBatch = async (statements) => {
    await new Promise((resolve) => setImmediate(resolve))
    try {
      db.exec(statements.every(({ sql }) => sql.startsWith('select')) ? 'begin' : 'begin immediate')
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      await new Promise((resolve) => setTimeout(resolve, 1 + 5 * Math.random()))
      return run(statements)
    }
    try {
      const rows = statements.map(({ sql, values }) => db.prepare(sql).all(...values))
      db.exec('commit')
      return rows
    } catch (cause) {
      db.exec('rollback')
      throw cause
    }
  }
  return run
}

export const createDatabase = (file: string): void => {
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; ${TABLES}`)
  db.close()
}

export const open = async ({ file }: { readonly file: string }): Promise<StorageBackend> => {
  const db = new DatabaseSync(file)
  db.exec('pragma synchronous = full')
  const storage = sqlBackend(batchOf(db))
  const close = async () => {
    await storage.close()
    if (db.isOpen) db.close()
  }
  return { ...storage, close }
}
