/** The tables of an index file. `items` is the truth; `item_terms`, `sessions` and the counts in `state` are derived from it. */
import type { SqlConnection } from './driver.ts'

/** 'HRec', in the header of the file. */
const APPLICATION = 0x48526563
const KNOWN_STEP = 3

/** `place` holds a code of the session, so that one session can be searched. It counts for nothing in the score. */
export const TERMS_TABLE = `
create virtual table item_terms using fts5 (terms, place, content = '', contentless_delete = 1, tokenize = 'ascii');
insert into item_terms (item_terms, rank) values ('rank', 'bm25(1.0, 0.0)'), ('deletemerge', 0);`

/** Of a session that went on in another project, a row each: `opening` is what was said there. */
const SESSIONS_TABLE = `
create table sessions (
  source text not null,
  project text not null,
  first_at integer not null,
  last_at integer not null,
  turns integer not null,
  automated integer not null,
  opening text not null,
  primary key (source, project)
) strict;
create index sessions_by_time on sessions (last_at);`

/**
 * A model has a row for each length of its vectors, and the items from `low` to `high` are done. `slot` is a place among the vectors of a model, from `model * SLOTS` on;
 * `signs` holds one bit for each number of the vectors of `CHUNK` slots, so that a search reads few vectors; `version` is another one after each change. Models lie side by side: one does not undo another.
 */
const VECTOR_TABLES = `
create table vector_models (
  no integer primary key autoincrement,
  model text not null,
  dimensions integer not null,
  low integer not null,
  high integer not null,
  used_at integer not null,
  unique (model, dimensions)
) strict;
create table vectors (slot integer primary key, n integer not null, vector blob not null) strict;
create index vectors_by_item on vectors (n);
create table vector_signs (chunk integer primary key, version integer not null, signs blob not null) strict;`

/** From step 2 or earlier, which had one vector for each item. */
const ADD_PASSAGES = `
drop table vectors;
${VECTOR_TABLES}
pragma user_version = 3`

/** From step 1, which knew no projects. */
const ADD_PROJECTS = `
alter table items add column project text not null default '';
drop index sessions_by_time;
alter table sessions rename to sessions_before;
${SESSIONS_TABLE}
insert into sessions select source, '', first_at, last_at, turns, automated, opening from sessions_before;
drop table sessions_before;`

/** `n` is never given twice. `project`: '' for none. */
const TABLES = `
create table items (
  n integer primary key autoincrement,
  kind text not null,
  id text not null,
  source text not null,
  project text not null default '',
  at integer not null,
  automated integer not null,
  length integer not null,
  user text not null,
  answer text not null,
  unique (kind, id)
) strict;
create index items_by_source on items (source, at);
create index items_by_time on items (at);
${SESSIONS_TABLE}
${VECTOR_TABLES}
create table state (key text primary key, value integer not null) strict, without rowid;
insert into state values ('items', 0), ('length', 0), ('terms_version', 0), ('rebuild_next', 0), ('purge', 0);
${TERMS_TABLE}
pragma application_id = ${APPLICATION};
pragma user_version = ${KNOWN_STEP}`

/** `secure_delete`: what is deleted is overwritten. The log is written back in small pieces, because that blocks the thread. */
const SETTINGS =
  'pragma synchronous = normal; pragma secure_delete = on; pragma wal_autocheckpoint = 256; pragma temp_store = memory; pragma cache_size = -16000'

const pragma = (db: SqlConnection, name: string): unknown => Object.values((db.prepare(`pragma ${name}`).get() ?? {}) as object)[0]

/** Runs `work` while no other connection writes; undoes it if it throws. */
export const inTransaction = <T>(db: SqlConnection, work: () => T): T => {
  db.exec('begin immediate')
  try {
    const result = work()
    db.exec('commit')
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

/** 0 if there are no tables. */
const stepOf = (db: SqlConnection, file: string): number => {
  // In this order, because another process may be creating the tables.
  const isEmpty = !db.prepare('select 1 from sqlite_schema').get()
  const application = Number(pragma(db, 'application_id'))
  const step = Number(pragma(db, 'user_version'))
  if (application === 0 && isEmpty) return 0
  if (application !== APPLICATION)
    throw new Error(`'${file}' is the database of another program. Choose another folder for the recall index.`)
  if (step <= KNOWN_STEP) return step
  throw new Error(`'${file}' needs a newer @hermes/recall: it is at step ${step}, this one knows ${KNOWN_STEP}. Update the package.`)
}

export const prepareFile = (db: SqlConnection, file: string): void => {
  db.exec(SETTINGS)
  const step = stepOf(db, file)
  // Also of a copy that SQLite made as a backup.
  if (pragma(db, 'journal_mode') !== 'wal') db.exec('pragma journal_mode = wal')
  if (step === KNOWN_STEP) return
  inTransaction(db, () => {
    // Another process may have been faster.
    const found = stepOf(db, file)
    if (found === 0) db.exec(TABLES)
    if (found === 1) db.exec(ADD_PROJECTS)
    if (found === 1 || found === 2) db.exec(ADD_PASSAGES)
  })
}
