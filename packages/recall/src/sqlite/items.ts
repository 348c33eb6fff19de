/** Items in the tables: adding, removing, and what is derived from them. All of it runs inside a transaction of the caller. */
import { createHash } from 'node:crypto'
import type { RecallItem } from '../recall-index.ts'
import type { SqlConnection } from './driver.ts'
import { rows, sql } from './statements.ts'
import { removeVectors } from './vector-slots.ts'

export interface ItemRow {
  readonly n: number
  readonly kind: RecallItem['kind']
  readonly id: string
  readonly source: string
  /** `''` for none. */
  readonly project: string
  readonly at: number
  readonly automated: number
  readonly length: number
  readonly user: string
  readonly answer: string
}

export const toItem = ({ id, kind, source, project, at, automated, user, answer }: ItemRow): RecallItem => ({
  id,
  kind,
  source,
  // A damaged file that is copied may be older than projects.
  ...(project ? { project } : {}),
  at,
  automated: automated === 1,
  user,
  answer,
})

/** What a session is called in the index of terms. */
export const placeOf = (sessionId: string): string => `s${createHash('sha256').update(sessionId).digest('hex').slice(0, 24)}`

export type StateKey = 'items' | 'length' | 'terms_version' | 'rebuild_next' | 'purge'

export const getState = (db: SqlConnection, key: StateKey): number =>
  rows<{ value: number }>(sql(db, 'select value from state where key = ?').all(key))[0]?.value ?? 0

export const setState = (db: SqlConnection, key: StateKey, value: number): void => {
  sql(db, 'update state set value = ? where key = ?').run(value, key)
}

const addToState = (db: SqlConnection, key: StateKey, value: number): void => {
  sql(db, 'update state set value = value + ? where key = ?').run(value, key)
}

const OPENING_CHARS = 200

const INSERT = `insert into items (kind, id, source, project, at, automated, length, user, answer) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (kind, id) do nothing returning n`

const EXTEND_SESSION = `insert into sessions values (?, ?, ?, ?, 1, ?, ?) on conflict (source, project) do update set
opening = case when excluded.first_at < first_at then excluded.opening else opening end,
first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),
turns = turns + 1, automated = min(automated, excluded.automated)`

export const indexTerms = (db: SqlConnection, n: number, item: Pick<RecallItem, 'kind' | 'source'>, terms: readonly string[]): void => {
  const place = item.kind === 'turn' ? placeOf(item.source) : ''
  sql(db, 'insert or replace into item_terms (rowid, terms, place) values (?, ?, ?)').run(n, terms.join(' '), place)
}

export const changeLength = (db: SqlConnection, row: Pick<ItemRow, 'n' | 'length'>, length: number): void => {
  sql(db, 'update items set length = ? where n = ?').run(length, row.n)
  addToState(db, 'length', length - row.length)
}

/** Returns false if there is an item with this id. */
export const insertItem = (db: SqlConnection, item: RecallItem, terms: readonly string[]): boolean => {
  const { kind, id, source, project = '', at, automated, user, answer } = item
  const time = Math.trunc(at)
  const [row] = rows<{ n: number }>(sql(db, INSERT).all(kind, id, source, project, time, automated ? 1 : 0, terms.length, user, answer))
  if (!row) return false
  indexTerms(db, row.n, item, terms)
  addToState(db, 'items', 1)
  addToState(db, 'length', terms.length)
  if (kind === 'turn')
    sql(db, EXTEND_SESSION).run(source, project, time, time, automated ? 1 : 0, user.slice(0, OPENING_CHARS).toWellFormed())
  return true
}

const SUM_UP_SESSION = `insert into sessions select source, project, min(at), max(at), count(*), min(automated),
(select substr(user, 1, ${OPENING_CHARS}) from items where source = said.source and project = said.project and kind = 'turn' order by at, n limit 1)
from items as said where source = ? and kind = 'turn' group by source, project`

/** Removes items and everything derived from them. */
export const removeItems = (db: SqlConnection, found: readonly Pick<ItemRow, 'n' | 'kind' | 'source' | 'length'>[]): void => {
  if (found.length === 0) return
  for (const { n, length } of found) {
    sql(db, 'delete from items where n = ?').run(n)
    sql(db, 'delete from item_terms where rowid = ?').run(n)
    addToState(db, 'length', -length)
  }
  removeVectors(
    db,
    found.map(({ n }) => n),
  )
  addToState(db, 'items', -found.length)
  for (const source of new Set(found.filter(({ kind }) => kind === 'turn').map((each) => each.source))) {
    sql(db, 'delete from sessions where source = ?').run(source)
    sql(db, SUM_UP_SESSION).run(source)
  }
  // What was deleted from the index of terms is in the file until its parts are merged.
  setState(db, 'purge', 1)
}
