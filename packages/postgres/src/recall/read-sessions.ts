/** Sessions as a person would page through them. */
import type { HomeRecallIndex, IndexStats, SessionSummary } from '@hermes/recall'
import type { Query, Row } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { isSeen, itemColumns, toItem } from './item-rows.ts'

const OPENING_CHARS = 200

const toSummary = (row: Row): SessionSummary => ({
  sessionId: String(row['source']),
  ...(typeof row['project'] === 'string' ? { project: row['project'] } : {}),
  firstAt: Number(row['first']),
  lastAt: Number(row['last']),
  turns: Number(row['turns']),
  automated: row['automated'] === 'true',
  opening: String(row['opening']),
})

const numberOr = (value: unknown): number | undefined => (typeof value === 'string' ? Number(value) : undefined)

export type SessionReads = Pick<HomeRecallIndex, 'readSession' | 'recentSessions' | 'stats'>

export const createSessionReads = (query: Query, names: SchemaNames, home: string): SessionReads => {
  const place = `(select no from ${names.recallHomes} where home = $1::text)`

  return {
    async readSession({ sessionId, project, at, before, after }) {
      const side = (comparison: string, order: string, limit: string) =>
        `(select * from ${names.recallItems} where home_no = ${place} and kind = 'turn' and source = $2::text and ${isSeen('$6')} and at ${comparison} $3::float8 order by at ${order}, no ${order} limit ${limit}::integer)`
      const statement = `select ${itemColumns('item')} from (${side('<', 'desc', '$4')} union all ${side('>=', 'asc', '$5')}) as item order by item.at, item.no`
      return (await query(statement, [home, sessionId, at, before, after, project ?? null])).map(toItem)
    },

    async recentSessions({ limit, after, before, excludeSessionId, project }) {
      const statement = `
select session.source, session.project, session.first::text as first, session.last::text as last, session.turns::text as turns,
    session.automated::text as automated, opening.text as opening
  from (
    select source, project, min(at) as first, max(at) as last, count(*) as turns, bool_and(automated) as automated from ${names.recallItems}
      where home_no = ${place} and kind = 'turn' and at >= $2::float8 and at < $3::float8 and ($4::text is null or source <> $4::text) and ${isSeen('$6')}
      group by source, project order by max(at) desc, source limit $5::integer
  ) as session cross join lateral (
    select left(said, ${OPENING_CHARS}) as text from ${names.recallItems}
      where home_no = ${place} and kind = 'turn' and source = session.source and project is not distinct from session.project order by at, no limit 1
  ) as opening
  order by session.last desc, session.source`
      const values = [home, after ?? '-Infinity', before ?? 'Infinity', excludeSessionId ?? null, limit, project ?? null]
      return (await query(statement, values)).map(toSummary)
    },

    async stats(): Promise<IndexStats> {
      const statement = `
select count(*) filter (where kind = 'turn')::text as turns, count(distinct source) filter (where kind = 'turn')::text as sessions,
    count(*) filter (where kind <> 'turn')::text as archived, sum(pg_column_size(item.*))::text as bytes,
    min(at) filter (where kind = 'turn')::text as oldest, max(at) filter (where kind = 'turn')::text as newest,
    (select count(distinct no) from ${names.recallVectors} where home_no = ${place} and dimensions > 0)::text as vectors
  from ${names.recallItems} as item where home_no = ${place}`
      const [row = {}] = await query(statement, [home])
      const [oldestAt, newestAt] = [numberOr(row['oldest']), numberOr(row['newest'])]
      return {
        turns: Number(row['turns']),
        sessions: Number(row['sessions']),
        archived: Number(row['archived']),
        vectors: Number(row['vectors']),
        ...(oldestAt === undefined ? {} : { oldestAt }),
        ...(newestAt === undefined ? {} : { newestAt }),
        bytes: numberOr(row['bytes']) ?? 0,
        location: `table ${names.recallItems.replaceAll('"', '')}`,
      }
    },
  }
}
