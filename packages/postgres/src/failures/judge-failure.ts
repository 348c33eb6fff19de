/** What a client's error means: whether the statement may have been committed, whether trying again helps, and what to tell the caller. */
import { HermesError, type HermesErrorCode } from '@hermes/core'
import { withoutSecrets } from './without-secrets.ts'

/**
 * `refused`: it was not committed and another attempt may succeed (a lost race, a server that takes no connection now). `dropped`: the
 * connection was lost, and it may have been committed. `no_tables`: the tables do not exist. `final`: another attempt would fail too.
 */
type FailureKind = 'refused' | 'dropped' | 'no_tables' | 'final'

export interface Failure {
  readonly kind: FailureKind
  readonly error: HermesError
}

type Meaning = readonly [kind: FailureKind, code: HermesErrorCode, advice: string]

const BUSY: Meaning = ['refused', 'locked', 'Other writers kept this document busy. Try again later.']
const AWAY: Meaning = ['refused', 'io', 'The database server takes no connection. Check that it is running and that the address is right.']
const LOST: Meaning = [
  'dropped',
  'io',
  'The connection to the database was lost. Check the network and the server; it is unknown whether a write under way was stored.',
]
const LOGIN: Meaning = [
  'final',
  'io',
  'The database server refused the login. Check the user, the password and pg_hba.conf or the rules of your provider.',
]
const NO_TABLES: Meaning = [
  'no_tables',
  'io',
  'The tables of Hermes do not exist. Run migrate(client), or the SQL of migrationSql() as their owner.',
]
const ENDED: Meaning = ['final', 'closed', 'The pool of the database client was ended. Close Hermes first, then the pool.']

const RACED: Meaning = ['refused', 'io', 'Another process changed the tables of Hermes at the same time. Try again.']

/** By SQLSTATE, by code of Node or by code of a client. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  '40001': BUSY,
  '40P01': BUSY,
  '55P03': BUSY,
  '57014': ['refused', 'locked', 'The database server cancelled the statement because it took too long. Raise its statement_timeout.'],
  '25P03': ['refused', 'locked', 'This process was suspended during a write, and the database server gave the write up. Try again.'],
  '23505': RACED,
  '42P06': RACED,
  '42P07': RACED,
  '42723': RACED,
  '42710': RACED,
  '53300': ['refused', 'io', 'The database server has no connection left. Lower the size of the pools, or use a pooler.'],
  '57P03': AWAY,
  '08001': AWAY,
  '08004': AWAY,
  ECONNREFUSED: AWAY,
  EAI_AGAIN: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  ENOENT: AWAY,
  CONNECT_TIMEOUT: AWAY,
  ENOTFOUND: ['final', 'io', 'The host of the database does not exist. Check the address.'],
  '57P01': LOST,
  '57P02': LOST,
  '40003': LOST,
  ECONNRESET: LOST,
  EPIPE: LOST,
  ETIMEDOUT: LOST,
  CONNECTION_CLOSED: LOST,
  CONNECTION_DESTROYED: LOST,
  CONNECTION_ENDED: ENDED,
  '42P01': NO_TABLES,
  '3F000': NO_TABLES,
  '42883': NO_TABLES,
  '25006': [
    'final',
    'unwritable',
    'This connection can only read, for example because it leads to a replica. Connect to the primary to write.',
  ],
  '42501': [
    'final',
    'unwritable',
    'The database user has no right to do this. Grant it what the README of @hermes/postgres lists under "Without the right to create tables", and check the policies of row-level security.',
  ],
  '53100': ['final', 'no_space', 'The disk of the database server is full. Free some space there; nothing was written.'],
  '53200': ['refused', 'io', 'The database server is out of memory. Try again later.'],
  '28P01': LOGIN,
  '28000': LOGIN,
  '3D000': ['final', 'io', 'This database does not exist. Create it, or correct its name in the connection.'],
  '22P05': ['final', 'io', 'The encoding of this database lacks a character of the path. Create the database with the encoding UTF8.'],
  '22021': ['final', 'io', 'The encoding of this database lacks a character of the path. Create the database with the encoding UTF8.'],
  '54000': ['final', 'invalid', 'The document is larger than the database server takes.'],
}

/** For errors without a code, by their text. */
const TEXTS: readonly (readonly [RegExp, Meaning])[] = [
  [/tuple concurrently updated/i, RACED],
  [/HTTP status 429/, AWAY],
  [/HTTP status 5\d\d/, LOST],
  [/after calling end on the pool|PGlite is closed/i, ENDED],
  [/timeout exceeded when trying to connect|connection terminated due to connection timeout/i, AWAY],
  [
    /connection (?:terminated|closed|ended|error)|client has encountered|client was closed|not queryable|fetch failed|socket hang up/i,
    LOST,
  ],
]

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The code of an error, of what it wraps, or of the first of several attempts to connect. */
const codeOf = (cause: unknown, depth = 0): string | undefined => {
  if (typeof cause !== 'object' || cause === null || depth > 3) return undefined
  const field = (name: string): unknown => Reflect.get(cause, name)
  const code = field('code')
  if (typeof code === 'string' && code !== '') return code
  const errors = field('errors')
  return codeOf(field('sourceError') ?? (Array.isArray(errors) ? errors[0] : field('cause')), depth + 1)
}

const meaningOf = (code: string | undefined, text: string): Meaning => {
  const known = code === undefined ? undefined : MEANINGS[code]
  if (known) return known
  if (code?.startsWith('08')) return LOST
  const byText = code !== undefined && isSqlState(code) && code !== 'XX000' ? undefined : TEXTS.find(([pattern]) => pattern.test(text))
  return byText?.[1] ?? ['final', 'io', 'The database answered with an error.']
}

export const judgeFailure = (cause: unknown): Failure => {
  if (HermesError.isInstance(cause)) return { kind: 'final', error: cause }
  const code = codeOf(cause)
  const text = withoutSecrets(textOf(cause))
  const [kind, hermesCode, advice] = meaningOf(code, text)
  const details = code === undefined ? {} : { databaseCode: code }
  // The client's own error may hold the connection string, so it is not passed on.
  return { kind, error: new HermesError(hermesCode, `${advice} (${code === undefined ? '' : `${code}: `}${text})`, { details }) }
}

/** False if the connection that rejected with `cause` is of no more use. */
export const isConnectionAlive = (cause: unknown): boolean => {
  const code = codeOf(cause)
  return HermesError.isInstance(cause) || (code !== undefined && isSqlState(code) && !/^(?:08|57P|25P03)/.test(code))
}
