/**
 * BM25 in SQL. The rarest terms of a search choose the candidates, as many as there is time for; what most items hold would only cost time. Where the
 * items are few anyway, those of a session or of a short span, all terms count.
 */
import type { IndexAnswer, IndexSearch } from '@hermes/recall'
import type { Query, Row, SqlValue } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { isSeen, itemColumns, toHit } from './item-rows.ts'

/** How many entries of token lists a search reads. */
const BUDGET = 4_000
/** How many items are read one by one. */
const POOL = 2_000

const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** $1 home, $2 terms as a JSON array, $3 limit, $4 after, $5 before, $6 session, $7 excluded session, $8 project. */
const filterOf = (at: string): string => `${at} >= $4::float8 and ${at} < $5::float8
      and ($6::text is null or kind = 'turn' and source = $6::text) and ($7::text is null or kind <> 'turn' or source <> $7::text)
      and ${isSeen('$8')}`

const valuesOf = (
  home: string,
  { terms, limit, after, before, sessionId, excludeSessionId, project }: IndexSearch,
): readonly SqlValue[] => [
  home,
  JSON.stringify(terms),
  limit,
  after ?? '-Infinity',
  before ?? 'Infinity',
  sessionId ?? null,
  excludeSessionId ?? null,
  project ?? null,
]

const knownTerms = ({ recallHomes, recallTerms, recallToken }: SchemaNames): string => `
place as materialized (
  select no, items, length, ${SATURATION * LENGTH_WEIGHT}::float8 * items / greatest(length, 1) as stretch from ${recallHomes} where home = $1::text
),
asked as materialized (
  select term, ${recallToken}(place.no, term) as token from place cross join jsonb_array_elements_text($2::text::jsonb) as term
),
held as materialized (
  select term, token, coalesce((select terms.items from ${recallTerms} as terms where terms.home_no = place.no and terms.token = asked.token), 0) as items
    from asked cross join place
),
known as materialized (
  select held.term, held.token, held.items, ln(1 + (place.items - held.items + 0.5::float8) / (held.items + 0.5::float8)) as weight
    from held cross join place
)`

const scoreOf = (count: string, length: string): string => `
  known.weight * ${count} / (${count} + ${SATURATION * (1 - LENGTH_WEIGHT)}::float8 + ${length} * place.stretch)`

const answer = (names: SchemaNames, found: string): string => `
select place.items::text as items, place.length::text as length,
    (select jsonb_object_agg(term, items)::text from known) as frequencies, ${found}.score::text as score, ${itemColumns('item')}
  from place left join ${found} on true left join ${names.recallItems} as item on item.no = ${found}.no
  order by ${found}.score desc nulls last, ${found}.no desc`

/**
 * The lists of the rarest terms. `+ 0` leaves the planner the index of the tokens alone: before it has statistics, it would read the whole home for
 * each term. `offset 0` keeps the place of a token from being looked up for each use of the count.
 */
const byTerms = (names: SchemaNames): string => `
with ${knownTerms(names)},
chosen as materialized (
  select term, token, weight from (select *, sum(items) over (order by items, token) as upto from known where items > 0) as ranked
    where upto <= ${BUDGET}
),
found as materialized (
  select listed.no, sum(${scoreOf('listed.count', 'listed.length')}) as score
    from place cross join chosen as known cross join lateral (
      select no, length, counts[array_position(tokens, known.token)]::float8 as count from ${names.recallItems} as item
        where tokens @> array[known.token] and home_no + 0 = place.no and ${filterOf('(at + 0)')} offset 0
    ) as listed
    group by listed.no order by score desc, listed.no desc limit $3::integer
)${answer(names, 'found')}`

/**
 * The newest items that pass the filter, one by one; none if `more` says that there are too many. `newest`: of each session only its newest item, the newest first,
 * because where all terms are common the score says nothing.
 */
const byPool = (names: SchemaNames, order: 'best' | 'newest'): string => `
with ${knownTerms(names)},
pool as materialized (
  select item.no, item.kind, item.source, item.project, item.length, item.tokens, item.counts from place cross join lateral (
    select no, kind, source, project, length, tokens, counts from ${names.recallItems}
      where home_no = place.no and ${filterOf('at')} order by at desc, no desc limit ${POOL}
  ) as item
),
scored as materialized (
  select had.no, had.kind, had.source, had.project, sum(${scoreOf('had.count', 'had.length')}) as score
    from place cross join known cross join lateral (
      select no, kind, source, project, length, counts[array_position(tokens, known.token)]::float8 as count from pool offset 0
    ) as had
    where known.items > 0 and had.count is not null${order === 'best' ? ` and (select count(*) from pool) < ${POOL}` : ''}
    group by had.no, had.kind, had.source, had.project
),
found as materialized (
  ${
    order === 'best'
      ? 'select no, score from scored order by score desc, no desc limit $3::integer'
      : 'select no, no as score from (select distinct on (kind, source, project) no from scored order by kind, source, project, no desc) as newest order by no desc limit $3::integer'
  }
)${answer(names, 'found').replace('select ', `select (select count(*) >= ${POOL} from pool)::text as more, `)}`

const toAnswer = (rows: readonly Row[], terms: readonly string[]): IndexAnswer => {
  const [first] = rows
  const items = Number(first?.['items'] ?? 0)
  // A map: a term may be called like a property of every object.
  const frequencies = new Map(Object.entries<number>(JSON.parse(String(first?.['frequencies'] ?? '{}'))))
  return {
    hits: rows.filter((row) => typeof row['id'] === 'string').map(toHit),
    items,
    frequencies: new Map(terms.map((term) => [term, frequencies.get(term) ?? 0])),
    meanLength: items === 0 ? 0 : Number(first?.['length']) / items,
  }
}

/** One round trip; two if the items of a span are many, or if most items hold every term. */
export const createSearch = (query: Query, names: SchemaNames): ((home: string, search: IndexSearch) => Promise<IndexAnswer>) => {
  const termStatement = byTerms(names)
  const poolStatement = byPool(names, 'best')
  const commonStatement = byPool(names, 'newest')
  return async (home, search) => {
    const values = valuesOf(home, search)
    const isNarrow = search.sessionId !== undefined || search.after !== undefined || search.before !== undefined
    if (isNarrow) {
      const rows = await query(poolStatement, values)
      if (rows[0]?.['more'] !== 'true') return toAnswer(rows, search.terms)
    }
    const answered = toAnswer(await query(termStatement, values), search.terms)
    const isTooCommon = answered.hits.length === 0 && [...answered.frequencies.values()].some((items) => items > BUDGET)
    return isTooCommon ? toAnswer(await query(commonStatement, values), search.terms) : answered
  }
}
