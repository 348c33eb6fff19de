/** Candidates for the terms of a search, by BM25, with a bound on the work. */
import type { IndexAnswer, IndexHit, IndexSearch } from '../recall-index.ts'
import type { SqlConnection, SqlValue } from './driver.ts'
import { getState, type ItemRow, placeOf, toItem } from './items.ts'
import { rows, sql } from './statements.ts'

/** Entries of the index of terms that a search may read, about a microsecond each. Rare terms go first: common ones say the least. */
const MOST_ENTRIES = 8_000
/** In a small home too, candidates come from the rare terms. */
const ENTRIES_SHARE = 0.1
const LEAST_ENTRIES = 300
/** Frequencies below are looked up faster than remembered. */
const WORTH_REMEMBERING = 500
const MOST_REMEMBERED = 5_000
/** Remembered frequencies are used until the number of items has changed by this share. */
const TOLERANCE = 0.05

export const VOCABULARY = "create virtual table temp.vocabulary using fts5vocab('main', 'item_terms', 'row')"

export interface TermFrequencies {
  of(db: SqlConnection, term: string, items: number): number
  clear(): void
}

export const createTermFrequencies = (): TermFrequencies => {
  const remembered = new Map<string, number>()
  let itemsThen = 0
  return {
    of(db, term, items) {
      if (Math.abs(items - itemsThen) > itemsThen * TOLERANCE || remembered.size > MOST_REMEMBERED) {
        remembered.clear()
        itemsThen = items
      }
      const known = remembered.get(term)
      if (known !== undefined) return known
      const frequency = rows<{ doc: number }>(sql(db, 'select doc from temp.vocabulary where term = ?').all(term))[0]?.doc ?? 0
      if (frequency >= WORTH_REMEMBERING) remembered.set(term, frequency)
      return frequency
    },
    clear: () => remembered.clear(),
  }
}

interface Choice {
  readonly terms: readonly string[]
  /** Only newer items are searched, because even the rarest term is in too many. */
  readonly newerThan: number
}

const chooseTerms = (frequencies: ReadonlyMap<string, number>, items: number, newest: number): Choice => {
  const most = Math.min(MOST_ENTRIES, Math.max(LEAST_ENTRIES, items * ENTRIES_SHARE))
  const present = [...frequencies].filter(([, frequency]) => frequency > 0).sort((a, b) => a[1] - b[1])
  let entries = 0
  const affordable = present.filter(([, frequency], index) => {
    entries += frequency
    return index === 0 || entries <= most
  })
  const rarest = present[0]?.[1] ?? 0
  const newerThan = rarest > MOST_ENTRIES ? Math.floor(newest * (1 - MOST_ENTRIES / rarest)) : 0
  return { terms: affordable.map(([term]) => term), newerThan }
}

const anyOf = (terms: readonly string[]): string => `terms : (${terms.map((term) => `"${term}"`).join(' OR ')})`

/** Conditions on `items` and their values. */
export const spanOf = ({
  after,
  before,
  sessionId,
  excludeSessionId,
  project,
}: Pick<IndexSearch, 'after' | 'before' | 'sessionId' | 'excludeSessionId' | 'project'>): {
  readonly where: string
  readonly values: readonly SqlValue[]
} => {
  const conditions: readonly (readonly [string, SqlValue | undefined])[] = [
    ['items.at >= ?', after],
    ['items.at < ?', before],
    ["items.kind = 'turn' and items.source = ?", sessionId],
    ["(items.kind <> 'turn' or items.source <> ?)", excludeSessionId],
    ["items.project in ('', ?)", project],
  ]
  const used = conditions.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]))
  return { where: used.map(({ condition }) => ` and ${condition}`).join(''), values: used.map(({ value }) => value) }
}

/** Items by number, in this order. */
export const readHits = (db: SqlConnection, found: readonly { readonly n: number; readonly score: number }[]): readonly IndexHit[] =>
  found.flatMap(({ n, score }) =>
    rows<ItemRow>(sql(db, 'select * from items where n = ?').all(n)).map((row) => ({ ...toItem(row), score })),
  )

export const searchTerms = (db: SqlConnection, known: TermFrequencies, search: IndexSearch): IndexAnswer => {
  const items = getState(db, 'items')
  const frequencies = new Map(search.terms.map((term) => [term, known.of(db, term, items)]))
  const last = rows<{ n: number | null }>(sql(db, 'select max(n) as n from items').all())[0]?.n ?? 0
  const { terms, newerThan } = chooseTerms(frequencies, items, last)
  const meanLength = items === 0 ? 0 : getState(db, 'length') / items
  if (terms.length === 0) return { hits: [], items, frequencies, meanLength }
  const { where, values } = spanOf(search)
  const from = 'from item_terms join items on items.n = item_terms.rowid where item_terms match ?'
  // SQLite's score costs a reading of every entry of each term, so where all terms are common, the newest item of each session is a candidate; in one session, its newest items are.
  const newest = (match: string, least: number, group: string) =>
    sql(db, `select max(items.n) as n, 0 as score ${from} and item_terms.rowid > ?${where} group by ${group} order by n desc limit ?`).all(
      match,
      least,
      ...values,
      search.limit,
    )
  const best = (match: string) =>
    sql(db, `select items.n as n, -item_terms.rank as score ${from}${where} order by item_terms.rank limit ?`).all(
      match,
      ...values,
      search.limit,
    )
  const found = rows<{ n: number; score: number }>(
    search.sessionId !== undefined
      ? newest(`place : "${placeOf(search.sessionId)}" AND ${anyOf([...frequencies.keys()])}`, 0, 'items.n')
      : newerThan > 0
        ? newest(anyOf(terms), newerThan, 'items.source, items.project')
        : best(anyOf(terms)),
  )
  return { hits: readHits(db, found), items, frequencies, meanLength }
}
