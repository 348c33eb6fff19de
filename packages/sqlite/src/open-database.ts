/** Opens the file of a storage and creates its tables. Everything is synchronous and throws SQLite's errors. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { HermesError, type Result } from '@hermes/core'
import { type Documents, prepareDocuments } from './documents.ts'
import { Reviews } from './reviews.ts'

/** 'Herm', in the header of the file. */
const APPLICATION = 0x4865726d
const KNOWN_STEP = 1

/**
 * A version is never given twice, also after a removal. What was appended to a document since its row was written are rows of their own, numbered from 1,
 * so that an append to a long document does not write it anew.
 *
 * A queued review has its owner as JSON, '' in a storage with a single home. One whose `fence` is set is claimed, until `lease_until`; `added_due_at` is the
 * earliest due time added since. Times are epoch milliseconds. No fence is given twice, also after its review was removed.
 */
const TABLES = `
create table hermes_documents (
  version integer primary key autoincrement,
  path text not null unique,
  bytes blob not null,
  executable integer not null
) strict;
create table hermes_appends (
  path text not null,
  no integer not null,
  bytes blob not null,
  primary key (path, no)
) strict;
create table hermes_reviews (
  owner text not null,
  kind text not null,
  due_at real not null,
  attempts integer not null default 0,
  fence integer,
  lease_until real,
  added_due_at real,
  primary key (owner, kind)
) strict;
create index hermes_reviews_due on hermes_reviews (due_at);
create table hermes_fences (newest integer primary key autoincrement) strict;
pragma application_id = ${APPLICATION};
pragma user_version = ${KNOWN_STEP}`

/** Loaded late, because older Node cannot import it. Throws an Error that names the Node that can. */
export const loadSqlite = (): typeof import('node:sqlite') => {
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite) return sqlite
  const message = `@hermes/sqlite needs node:sqlite, which Node 22.13 and later have; this is ${process.version}. Update Node, or use fileSystemBackend() of '@hermes/core/file-system'.`
  throw new Error(message)
}

/** SQLite gives the files that it makes beside this one the same permissions. */
const closeToOthers = (file: string): void => {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  }
  const { mode } = statSync(file)
  try {
    if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700)
  } catch {
    // Only its owner may; SQLite says whether the file can be used.
  }
}

/** `immediate`: while no other connection writes. `deferred`: all reads see one state. */
const transaction = <T>(db: DatabaseSync, kind: 'immediate' | 'deferred', work: () => Result<T>): Result<T> => {
  db.exec(`begin ${kind}`)
  try {
    const result = work()
    db.exec(result.ok ? 'commit' : 'rollback')
    return result
  } catch (cause) {
    try {
      db.exec('rollback')
    } catch {
      // After some failures SQLite has done so itself.
    }
    throw cause
  }
}

const isTableThere = (db: DatabaseSync, file: string): boolean => {
  const number = (name: string) => Number(db.prepare(`pragma ${name}`).get()?.[name])
  // In this order, because another process may be creating the tables.
  const isEmpty = !db.prepare('select 1 from sqlite_schema').get()
  const [application, step] = [number('application_id'), number('user_version')]
  if (application === 0 && isEmpty) return false
  if (application !== APPLICATION)
    throw new HermesError('invalid', `'${file}' is the database of another program. Choose another path for Hermes.`)
  if (step <= KNOWN_STEP) return true
  throw new HermesError(
    'io',
    `'${file}' needs a newer @hermes/sqlite: it is at step ${step}, this one knows ${KNOWN_STEP}. Update the package.`,
  )
}

const ensureTables = (db: DatabaseSync, file: string): void => {
  const isThere = isTableThere(db, file)
  // Also of a copy that SQLite made as a backup.
  db.exec('pragma journal_mode = wal')
  if (isThere) return
  transaction(db, 'immediate', () => {
    if (!isTableThere(db, file)) db.exec(TABLES)
    return { ok: true, value: undefined }
  })
}

/** Acknowledged writes are on the disk, and what is deleted is overwritten. */
const SETTINGS = 'pragma synchronous = full; pragma fullfsync = on; pragma checkpoint_fullfsync = on; pragma secure_delete = on'

export interface Database {
  readonly documents: Documents
  readonly reviews: Reviews
  /** Runs `work` while no other connection writes; undoes what it did unless its result is ok. */
  readonly write: <T>(work: () => Result<T>) => Result<T>
  /** Runs `work` on one state. */
  readonly read: <T>(work: () => Result<T>) => Result<T>
  /** Brings the write-ahead log into the file and empties it; false while another connection is in the way. */
  readonly emptyLog: () => boolean
  readonly close: () => void
}

export const openDatabase = (file: string): Database => {
  const { DatabaseSync } = loadSqlite()
  closeToOthers(file)
  const db = new DatabaseSync(file)
  try {
    db.exec(SETTINGS)
    ensureTables(db, file)
    return {
      documents: prepareDocuments(db),
      reviews: new Reviews(db),
      write: (work) => transaction(db, 'immediate', work),
      read: (work) => transaction(db, 'deferred', work),
      emptyLog: () => Number(db.prepare('pragma wal_checkpoint(truncate)').get()?.['busy']) === 0,
      close: () => db.close(),
    }
  } catch (cause) {
    db.close()
    throw cause
  }
}
