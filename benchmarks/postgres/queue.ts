/**
 * Queues of due reviews with 1,000 and 100,000 waiting entries, in SQLite and on PostgreSQL: the first claim of a new process, claims and ends one at a time and four
 * at a time, additions, and what four handles claim together; on PostgreSQL beside bare statements with `skip locked` and `delete`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import type { ReviewQueue } from '@hermes/core/queue'
import { migrate, postgresReviewQueue } from '@hermes/postgres'
import { sqliteReviewQueue } from '@hermes/sqlite'
import pg from 'pg'
import { createPostgresServer } from '../../packages/postgres/test/support/postgres-server.ts'
import { readCount } from '../options.ts'
import { type Cell, type Part, table } from '../report.ts'
import { timed } from '../timing.ts'

const CLAIMS = 100
/** Claims of each kind on a server, which is measured twice. */
const SERVER_CLAIMS = 200
const HANDLES = 4
const LEASE_MS = 60_000

const unwrap = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error }): T => {
  if (result.ok) return result.value
  throw result.error
}

/** What the benchmark asks of a queue; the bare statements do only this. */
type MeasuredQueue = Pick<ReviewQueue, 'add' | 'claim' | 'end' | 'stats'>

const claimAndEnd = async (queue: MeasuredQueue, limit: number): Promise<number> => {
  const claims = unwrap(await queue.claim({ limit, leaseMs: LEASE_MS }))
  await Promise.all(claims.map(async (claim) => unwrap(await queue.end(claim, 'done'))))
  return claims.length
}

const perSecond = (count: number, ms: number): number => Math.round((count * 1_000) / ms)

/** `open`: as another process would. */
const measure = async (name: string, entries: number, open: () => MeasuredQueue, total = CLAIMS): Promise<readonly Cell[]> => {
  const queue = open()
  const first = await timed(() => claimAndEnd(queue, 1))
  const singly = await timed(async () => {
    for (let claim = 0; claim < total; claim++) await claimAndEnd(queue, 1)
  })
  const inFours = await timed(async () => {
    for (let claim = 0; claim < total; claim += 4) await claimAndEnd(queue, 4)
  })
  const adding = await timed(async () => {
    for (let added = 0; added < total; added++)
      unwrap(await queue.add({ owner: { user: `new-${added}` }, kind: 'idle', dueAt: Date.now() }))
  })
  const handles = Array.from({ length: HANDLES }, open)
  for (const handle of handles) unwrap(await handle.stats())
  const together = await timed(() =>
    Promise.all(
      handles.map(async (handle) => {
        for (let claimed = 0; claimed < total / HANDLES; ) claimed += await claimAndEnd(handle, 4)
      }),
    ),
  )
  return [name, entries, Math.round(first), ...[singly, inFours, together, adding].map((ms) => perSecond(total, ms))]
}

/** Claims, ends and additions by the least that SQL can do: no owners, no fences, no attempts, no checks. */
const bareQueue = (pool: pg.Pool): MeasuredQueue => ({
  add: async ({ owner, dueAt }) => {
    await pool.query('insert into bare (id, due_at) values ($1, $2)', [owner?.user, dueAt])
    return { ok: true, value: undefined }
  },
  claim: async ({ limit, leaseMs }) => {
    const { rows } = await pool.query<{ id: string }>(
      `update bare set lease_until = $2 where ctid = any(array(
        select ctid from bare where due_at <= $1 and (lease_until is null or lease_until <= $1) order by due_at limit $3 for update skip locked
      )) returning id`,
      [Date.now(), Date.now() + leaseMs, limit],
    )
    return { ok: true, value: rows.map(({ id }) => ({ owner: { user: id }, kind: 'turns', dueAt: 0, fence: 1, attempts: 1 })) }
  },
  end: async ({ owner }) => {
    await pool.query('delete from bare where id = $1', [owner?.user])
    return { ok: true, value: undefined }
  },
  stats: async () => ({ ok: true, value: { waiting: 0, claimed: 0, oldestDueAt: undefined } }),
})

const measureServer = async (counts: readonly number[]): Promise<readonly (readonly Cell[])[]> => {
  const rows: (readonly Cell[])[] = []
  const server = await createPostgresServer()
  const pool = new pg.Pool({ connectionString: server.url, max: 2 * HANDLES })
  pool.on('error', () => undefined)
  // Open connections, as in a server that runs.
  await Promise.all(Array.from({ length: 2 * HANDLES }, () => pool.query('select pg_sleep(0.05)')))
  const schema = 'hermes'
  unwrap(await migrate(pool, { schema }))
  await pool.query('create table bare (id text primary key, due_at float8 not null, lease_until float8); create index on bare (due_at)')
  for (const entries of counts) {
    // In turn, so that a busy machine slows down both.
    for (let turn = 0; turn < 2; turn++) {
      await pool.query(`truncate bare, ${schema}.hermes_reviews`)
      await pool.query(`insert into ${schema}.hermes_reviews (home, kind, owner, due_at)
        select format('tenant-%s/user-%s', i % 100, i), 'turns', format('["tenant-%s","user-%s"]', i % 100, i), 1000000 + i
          from generate_series(0, ${entries - 1}) as i`)
      await pool.query(`insert into bare select format('user-%s', i), 1000000 + i from generate_series(0, ${entries - 1}) as i`)
      rows.push(await measure('PostgreSQL, bare statements', entries, () => bareQueue(pool), SERVER_CLAIMS))
      rows.push(await measure('PostgreSQL', entries, () => postgresReviewQueue(pool, { schema }), SERVER_CLAIMS))
    }
  }
  await pool.end()
  await server.remove()
  return rows
}

const measureFile = async (entries: number): Promise<readonly Cell[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-queue-'))
  const file = join(folder, 'hermes.db')
  const queue = sqliteReviewQueue(file)
  unwrap(await queue.stats())
  const db = new DatabaseSync(file)
  db.exec(`with recursive number (i) as (select 0 union all select i + 1 from number where i < ${entries - 1})
    insert into hermes_reviews (owner, kind, due_at) select format('["tenant-%d","user-%d"]', i % 100, i), 'turns', 1000000 + i from number`)
  db.close()
  const row = await measure('SQLite', entries, () => sqliteReviewQueue(file))
  await queue.close()
  rmSync(folder, { recursive: true, force: true })
  return row
}

const HEAD = [
  'queue',
  'entries',
  'first claim, ms',
  'claims a second, one at a time',
  'four at a time',
  `${HANDLES} handles`,
  'additions a second',
]

export const measureQueue: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { entries: { type: 'string', default: '1000,100000' } } })
  const counts = values.entries.split(',').map((count) => readCount('entries', count, 1))
  const files: (readonly Cell[])[] = []
  for (const entries of counts) files.push(await measureFile(entries))
  return { blocks: [table(HEAD, [...files, ...(await measureServer(counts))])] }
}
