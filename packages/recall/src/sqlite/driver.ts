/** SQLite itself: `node:sqlite` where Node has it, otherwise the package `libsql`. Everything is synchronous and throws SQLite's errors. */

export type SqlValue = string | number | bigint | null | Uint8Array

export interface SqlStatement {
  all(...values: SqlValue[]): unknown[]
  get(...values: SqlValue[]): unknown
  run(...values: SqlValue[]): unknown
}

export interface SqlConnection {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}

export type OpenConnection = (file: string) => SqlConnection

const MISSING = `@hermes/recall needs SQLite: update Node to 22.13 or later, which has it built in, or run 'npm install libsql' in the folder of your app, or 'npm install --prefix <home> libsql' if @hermes/recall is in the home (this is Node ${process.version}).`

const loadLibsql = async (): Promise<OpenConnection> => {
  let loaded: { readonly default: new (file: string) => SqlConnection }
  try {
    loaded = await import('libsql')
  } catch (cause) {
    throw new Error(MISSING, { cause })
  }
  const Database = loaded.default
  return (file) => new Database(file)
}

/** Rejects with an Error that says what to install. */
export const loadDriver = async (): Promise<OpenConnection> => {
  const builtIn = process.getBuiltinModule?.('node:sqlite')
  return builtIn ? (file) => new builtIn.DatabaseSync(file) : loadLibsql()
}

const NUMBERS: Readonly<Record<string, number>> = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_CORRUPT: 11,
  SQLITE_CORRUPT_VTAB: 267,
  SQLITE_FULL: 13,
  SQLITE_NOTADB: 26,
}

/** SQLite's extended result code, if it is an error of SQLite. */
export const sqliteCode = (cause: unknown): number | undefined => {
  if (!(cause instanceof Error)) return undefined
  const code: unknown = Reflect.get(cause, 'errcode') ?? Reflect.get(cause, 'rawCode') ?? Reflect.get(cause, 'code')
  return typeof code === 'number' ? code : typeof code === 'string' ? NUMBERS[code] : undefined
}

const PRIMARY = 0xff
/** A virtual table is damaged: only the derived index of terms. */
const CORRUPT_TERMS = 267

export type SqliteProblem = 'busy' | 'damaged' | 'terms-damaged' | 'other'

export const judgeProblem = (cause: unknown): SqliteProblem => {
  const code = sqliteCode(cause)
  if (code === undefined) return 'other'
  if (code === CORRUPT_TERMS) return 'terms-damaged'
  const primary = code & PRIMARY
  if (primary === 5 || primary === 6 || primary === 15) return 'busy'
  return primary === 11 || primary === 26 ? 'damaged' : 'other'
}
