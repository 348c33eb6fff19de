/** Opens the file of a storage, creates its table, and holds the statements on it. Everything is synchronous and throws SQLite's errors. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { HermesError, type Result } from '@hermes/core'
import type { DocumentContent, DocumentInfo, StoredDocument } from '@hermes/core/storage'

/** 'Herm', in the header of the file. */
const APPLICATION = 0x4865726d
const KNOWN_STEP = 1

/** A version is never given twice, also after a removal. */
const TABLE = `
create table hermes_documents (
  version integer primary key autoincrement,
  path text not null unique,
  bytes blob not null,
  executable integer not null
) strict;
pragma application_id = ${APPLICATION};
pragma user_version = ${KNOWN_STEP}`

const FROM = 'from hermes_documents'
// '0' follows '/'. Named, because Node 22 does not take '?1' by its number.
const BELOW = "path >= $path || '/' and path < $path || '0'"

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

const transaction = <T>(db: DatabaseSync, work: () => Result<T>): Result<T> => {
  db.exec('begin immediate')
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
  // In this order, because another process may be creating the table.
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

const ensureTable = (db: DatabaseSync, file: string): void => {
  const isThere = isTableThere(db, file)
  // Also of a copy that SQLite made as a backup.
  db.exec('pragma journal_mode = wal')
  if (isThere) return
  transaction(db, () => {
    if (!isTableThere(db, file)) db.exec(TABLE)
    return { ok: true, value: undefined }
  })
}

const prepare = (db: DatabaseSync) => {
  const find = db.prepare(`select bytes, version, executable ${FROM} where path = ?`)
  const nearest = db.prepare(
    `select path ${FROM} where path = $path or (${BELOW}) or path in (select value from json_each($folders)) limit 1`,
  )
  const put = db.prepare('insert or replace into hermes_documents (path, bytes, executable) values (?, ?, ?) returning version')
  const remove = db.prepare(`delete ${FROM} where path = ?`)
  const moved = 'set path = $target || substr(path, length($path) + 1)'
  const rename = db.prepare(`update hermes_documents ${moved} where path = $path or (${BELOW}) returning path`)

  return {
    find(path: string): StoredDocument | undefined {
      const row = find.get(path)
      const mark = row?.['executable'] === 1 ? { executable: true } : {}
      return row && { bytes: row['bytes'] as Uint8Array, version: String(row['version']), ...mark }
    },
    /** The path of a document at `path`, below it, or of which it would be below; there are never two kinds of them. */
    nearest(path: string): string | undefined {
      const folders = JSON.stringify([...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)))
      return nearest.get({ path, folders })?.['path']?.toString()
    },
    /** Returns the new version. */
    put: (path: string, { bytes, executable }: Required<DocumentContent>) => String(put.get(path, bytes, executable ? 1 : 0)?.['version']),
    remove: (path: string) => remove.run(path),
    /** Returns the new paths. */
    rename: (from: string, to: string) => rename.all({ path: from, target: to }).map(({ path }) => String(path)),
    /** The documents below a folder, as they are at the first step; reads no documents. */
    *below(folder: string): Generator<DocumentInfo> {
      const all = `select path, length(bytes) as size, version ${FROM}`
      const rows = folder === '' ? db.prepare(all).iterate() : db.prepare(`${all} where ${BELOW}`).iterate({ path: folder })
      for (const { path, size, version } of rows) yield { path: String(path), size: Number(size), stamp: String(version) }
    },
    /** Runs `work` while no other connection writes; undoes what it did unless its result is ok. */
    transaction: <T>(work: () => Result<T>) => transaction(db, work),
    close: () => db.close(),
  }
}

export type Database = ReturnType<typeof prepare>

/** Acknowledged writes are on the disk, and what is deleted is overwritten. */
const SETTINGS = 'pragma synchronous = full; pragma fullfsync = on; pragma checkpoint_fullfsync = on; pragma secure_delete = on'

export const openDatabase = (file: string): Database => {
  const { DatabaseSync } = loadSqlite()
  closeToOthers(file)
  const db = new DatabaseSync(file)
  try {
    db.exec(SETTINGS)
    ensureTable(db, file)
    return prepare(db)
  } catch (cause) {
    db.close()
    throw cause
  }
}
