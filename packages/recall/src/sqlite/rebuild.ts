/** Pieces of long work on the index of terms, each a few milliseconds: making it anew from the items, and clearing it of what was deleted. */
import type { RecallIndexHome } from '../recall-index.ts'
import type { SqlConnection } from './driver.ts'
import { changeLength, getState, type ItemRow, indexTerms, setState, toItem } from './items.ts'
import { TERMS_TABLE } from './schema.ts'
import { rows, sql } from './statements.ts'

export type Terms = Pick<RecallIndexHome, 'termsOf' | 'termsVersion'>

/** Marks every item as not in the index of terms; `rebuildPiece` then puts them there, the newest first. Until then they are found as they were. */
export const startRebuild = (db: SqlConnection, { termsVersion }: Terms): void => {
  const last = rows<{ n: number | null }>(sql(db, 'select max(n) as n from items').all())[0]?.n ?? 0
  setState(db, 'rebuild_next', last)
  setState(db, 'terms_version', termsVersion)
}

/** For an index of terms that is damaged. */
export const emptyTerms = (db: SqlConnection, terms: Terms): void => {
  db.exec(`drop table if exists item_terms;${TERMS_TABLE}`)
  startRebuild(db, terms)
}

/** Throws if the index was made by a newer version of the package. Returns true if there is background work to do. */
export const checkTermsVersion = (db: SqlConnection, terms: Terms, file: string): boolean => {
  const stored = getState(db, 'terms_version')
  if (stored > terms.termsVersion)
    throw new Error(
      `'${file}' was made by a newer @hermes/recall (terms ${stored}, this one knows ${terms.termsVersion}). Update the package.`,
    )
  return stored < terms.termsVersion || getState(db, 'rebuild_next') > 0 || getState(db, 'purge') > 0
}

const PIECE_MS = 5
const PIECE_ITEMS = 40

export interface RebuildStep {
  /** Items that are not in the index of terms yet, at most: numbers of removed items count. */
  readonly left: number
}

export const rebuildPiece = (db: SqlConnection, terms: Terms): RebuildStep => {
  if (getState(db, 'terms_version') < terms.termsVersion) startRebuild(db, terms)
  let next = getState(db, 'rebuild_next')
  if (next === 0) return { left: 0 }
  const end = performance.now() + PIECE_MS
  const found = rows<ItemRow>(sql(db, `select * from items where n <= ? order by n desc limit ${PIECE_ITEMS}`).all(next))
  const listed: { readonly row: ItemRow; readonly terms: readonly string[] }[] = []
  for (const row of found) {
    if (performance.now() > end && row !== found[0]) break
    listed.push({ row, terms: terms.termsOf(toItem(row)) })
    next = row.n - 1
  }
  // FTS5 writes a part of its own for each number that is smaller than the one before.
  for (const { row, terms: list } of listed.toReversed()) {
    indexTerms(db, row.n, row, list)
    changeLength(db, row, list.length)
  }
  if (found.length === 0) next = 0
  setState(db, 'rebuild_next', next)
  if (next === 0) setState(db, 'purge', 1)
  return { left: next }
}

const PAGES = 24

/** Merges the parts of the index of terms, so that nothing of a deleted item is left. Returns true when it is done. */
export const purgePiece = (db: SqlConnection, isFirst: boolean): boolean => {
  if (getState(db, 'purge') === 0) return true
  const changes = () => rows<{ n: number }>(sql(db, 'select total_changes() as n').all())[0]?.n ?? 0
  const before = changes()
  // A negative number begins a merge of all parts into one.
  sql(db, "insert into item_terms (item_terms, rank) values ('merge', ?)").run(isFirst ? -PAGES : PAGES)
  return changes() - before < 2
}

/** Empties SQLite's log. Returns false if another process is reading it. */
export const emptyLog = (db: SqlConnection): boolean => {
  const [state] = rows<{ busy: number }>(sql(db, 'pragma wal_checkpoint(truncate)').all())
  return state?.busy === 0
}
