/** Prepared statements, kept for each connection. */
import type { SqlConnection, SqlStatement } from './driver.ts'

const prepared = new WeakMap<SqlConnection, Map<string, SqlStatement>>()

export const sql = (db: SqlConnection, text: string): SqlStatement => {
  const known = prepared.get(db) ?? new Map<string, SqlStatement>()
  prepared.set(db, known)
  const statement = known.get(text) ?? db.prepare(text)
  known.set(text, statement)
  return statement
}

/** Rows as objects of the named shape; the statement's columns must be those. */
export const rows = <T>(found: unknown): readonly T[] => found as readonly T[]
