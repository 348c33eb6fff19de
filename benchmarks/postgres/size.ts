/**
 * What a home takes in PostgreSQL: rows and bytes after up to a year of 10 turns a day, and the write-ahead log of a turn. The model is scripted: each review of 10 turns
 * learns one fact, so that both stores are full before long. `packed`: a copy of the table, since a year passes too fast here for autovacuum.
 */
import { parseArgs } from 'node:util'
import { createHermesHomes } from '@hermes/core'
import { postgresBackend } from '@hermes/postgres'
import pg from 'pg'
import { createPostgresServer } from '../../packages/postgres/test/support/postgres-server.ts'
import { readCount } from '../options.ts'
import { type Cell, type Part, table } from '../report.ts'

const TURNS_A_DAY = 10
const MARKS = [1, 30, 120, 365]
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1, 9)

const QUESTION = 'How do I move the orders table to the new region without stopping the importer, and what do I tell the team? '.repeat(2)
const ANSWER = 'Copy it with logical replication first, then switch the importer over in the quiet hour after the nightly report. '.repeat(
  6,
)

const createModel = () => {
  let facts = 0
  return async () => {
    facts++
    const content = `Fact ${facts}: the importer of region ${facts} runs at ${facts % 24}:00 and writes to bucket number ${facts}`
    const target = facts % 3 === 0 ? 'user' : 'memory'
    const proposal = {
      target,
      op: { action: 'add', content },
      rationale: 'The user said so.',
      score: 0.9,
      evidence: [{ quote: 'orders table' }],
    }
    return { text: JSON.stringify({ proposals: [proposal] }), usage: { inputTokens: 3_000, outputTokens: 100 } }
  }
}

interface Size {
  readonly rows: number
  readonly bytes: number
  /** Of the table and its index. */
  readonly packed: number
}

const sizeOf = async (pool: pg.Pool): Promise<Size> => {
  await pool.query('create table packed as table hermes.hermes_documents')
  await pool.query('create unique index on packed (path)')
  const { rows } = await pool.query(
    "select count(*)::int as rows, sum(length(bytes))::int as bytes, pg_total_relation_size('packed')::int as packed from packed",
  )
  await pool.query('drop table packed')
  return rows[0]
}

const kinds = async (pool: pg.Pool, owners: number): Promise<string> => {
  const { rows } = await pool.query(`
    select split_part(path, '/', 4) as kind, count(*)::int as rows, sum(length(bytes))::int as bytes
      from hermes.hermes_documents where path like 'homes/%' group by 1 order by 3 desc`)
  return rows
    .map(({ kind, rows: count, bytes }) => `${kind} ${(count / owners).toFixed(1)} rows ${(bytes / owners / 1024).toFixed(1)} kB`)
    .join(', ')
}

const logPosition = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query("select (pg_current_wal_insert_lsn() - '0/0')::float8 as at")
  return rows[0].at
}

export const measureSize: Part = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { owners: { type: 'string', default: '1' }, days: { type: 'string', default: '30' } },
  })
  const owners = readCount('owners', values.owners, 1)
  const days = readCount('days', values.days, 1)
  const marks = MARKS.filter((day) => day <= days)
  const rows: (readonly Cell[])[] = []
  let last = ''
  const server = await createPostgresServer({ fsync: 'off' })
  const pool = new pg.Pool({ connectionString: server.url, max: 8 })
  pool.on('error', () => undefined)
  try {
    let now = START
    const failures: string[] = []
    const homes = createHermesHomes({
      storage: postgresBackend(pool),
      clock: () => now,
      review: { model: createModel() },
      onEvent: (event) => 'error' in event && failures.push(`${event.type}: ${event.error.message}`),
    })
    let turns = 0
    let log = await logPosition(pool)
    for (let day = 1; day <= Math.max(...marks); day++) {
      for (let turn = 0; turn < TURNS_A_DAY; turn++) {
        now = START + (day - 1) * DAY_MS + turn * 60_000
        for (let owner = 0; owner < owners; owner++) {
          const home = homes.for(`user-${owner}@example.com`)
          const session = home.session(`day-${day}`)
          if (turn === 0) await session.systemBlock()
          session.recordTurn({
            messages: [
              { role: 'user', text: `${QUESTION}${turns}` },
              { role: 'assistant', text: ANSWER },
            ],
          })
          turns++
        }
        await homes.settled()
      }
      if (!marks.includes(day)) continue
      const written = (await logPosition(pool)) - log
      const { rows: documents, bytes, packed } = await sizeOf(pool)
      const per = (value: number, unit: number) => Math.round(value / owners / unit).toLocaleString('en')
      rows.push([day, per(documents, 1), per(bytes, 1024), per(packed, 1024), (written / turns / 1024).toFixed(1)])
      last = await kinds(pool, owners)
      turns = 0
      log = await logPosition(pool)
    }
    await homes.close()
    const sizes = table(['days', 'rows of a home', 'kB of its documents', 'kB on disk, with the index', 'kB of log a turn'], rows)
    return {
      page: () => sizes,
      blocks: [
        sizes,
        `At the end, per owner: ${last}`,
        `failures: ${failures.length}${failures.length > 0 ? `, first ${failures[0]}` : ''}`,
      ],
      held: failures.length === 0,
    }
  } finally {
    await pool.end()
    await server.remove()
  }
}
