/** Hermes in a SQL database that is reached over a network and runs several statements as one transaction. In SQLite's dialect. */
import { err, HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import * as port from '@hermes/core/storage'

export interface Statement {
  readonly sql: string
  readonly values: readonly (string | number | Uint8Array)[]
}

type Row = Readonly<Record<string, unknown>>

/** Runs the statements as one transaction and resolves to the rows of each, or rejects. */
export type SqlBatch = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>

/** For your migrations. `home` has one row, which every update changes. */
export const TABLES = `create table documents (path text primary key, bytes blob not null, executable integer not null, version text not null);
create table home (version text not null);
insert into home values ('')`

interface Found extends port.ReadDocuments {
  /** Of the home. */
  readonly version: string
  /** The names of all documents, without their bytes. */
  readonly names: port.Documents
}

const toDocument = (row: Row): port.StoredDocument => ({
  bytes: (row['bytes'] ?? new Uint8Array()) as Uint8Array,
  ...(row['executable'] === 1 ? { executable: true } : {}),
})

const find = async (batch: SqlBatch, named: port.NamedPaths): Promise<Found> => {
  const wanted = JSON.stringify([...named.documents])
  const [[home] = [], all = [], rows = []] = await batch([
    { sql: 'select version from home', values: [] },
    { sql: 'select path, length(bytes) as size, executable, version from documents', values: [] },
    { sql: 'select * from documents where path in (select value from json_each(?))', values: [wanted] },
  ])
  const listed = all.map(({ path, size, version }) => ({ path: String(path), size: Number(size), stamp: String(version) }))
  const isListed = ({ path }: port.DocumentInfo) => named.folders.some((folder) => port.isBelow(path, folder))
  return {
    version: String(home?.['version']),
    names: new Map(all.map((row) => [String(row['path']), toDocument(row)])),
    infos: listed.filter(isListed).sort((a, b) => port.byCodeUnit(a.path, b.path)),
    documents: new Map(rows.map((row) => [String(row['path']), toDocument(row)])),
  }
}

// '0' follows '/'. Ranges instead of `like` use the index, and `_` and `%` in a path mean nothing.
const MOVING = "(path = ?2 or path >= ?2 || '/' and path < ?2 || '0')"
const IF_MINE = '(select version from home) = ?1'

/** All statements but the first do nothing unless the first has changed the version of the home. */
const write = (planned: port.CheckedPlan<unknown>, before: string, mine: string, after: port.Documents): readonly Statement[] => [
  { sql: 'update home set version = ?2 where version = ?1 returning version', values: [before, mine] },
  ...planned.moves.map(([from, to]) => ({
    sql: `update documents set path = ?3 || substr(path, length(?2) + 1), version = ?1 where ${MOVING} and ${IF_MINE}`,
    values: [mine, from, to],
  })),
  ...[...planned.puts].flatMap(([path, put]) =>
    put ? [] : { sql: `delete from documents where path = ?2 and ${IF_MINE}`, values: [mine, path] },
  ),
  ...[...planned.puts].flatMap(([path, put]) => {
    const changed = 'set bytes = excluded.bytes, executable = excluded.executable, version = excluded.version'
    const sql = `insert into documents select ?2, ?3, ?4, ?1 where ${IF_MINE} on conflict (path) do update ${changed}`
    return put ? { sql, values: [mine, path, put.bytes, after.get(path)?.executable ? 1 : 0] } : []
  }),
  ...[...planned.appends].map(([path, bytes]) => {
    const changed = 'set bytes = cast(bytes || excluded.bytes as blob), version = excluded.version'
    return {
      sql: `insert into documents select ?2, ?3, 0, ?1 where ${IF_MINE} on conflict (path) do update ${changed}`,
      values: [mine, path, bytes],
    }
  }),
]

const LONGEST_MS = 15_000
const LONGEST_PAUSE_MS = 20

/** Rejects with what the plan throws. */
const update = async <T>(batch: SqlBatch, named: port.NamedPaths, plan: (cut: port.Cut) => port.Plan<T>): Promise<Result<T>> => {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; ) {
    const found = await find(batch, named)
    const planned = port.runPlan(named, found, plan)
    if (!planned.ok) return planned
    const { moves, puts, appends, value } = planned.value
    if (moves.length + puts.size + appends.size === 0) return ok(value)
    const after = port.applyPlan(found.names, planned.value)
    if (!after.ok) return after
    const [swapped = []] = await batch(write(planned.value, found.version, crypto.randomUUID(), after.value))
    if (swapped.length > 0) return ok(value)
    await new Promise((resolve) => setTimeout(resolve, LONGEST_PAUSE_MS * Math.random()))
  }
  return err(new HermesError('locked', 'Other writers kept the home busy. Nothing was written; try again later.'))
}

class BatchError extends Error {}

export const sqlBackend = (batch: SqlBatch): StorageBackend => {
  const underWay = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  const ask: SqlBatch = (statements) =>
    batch(statements).catch((cause: unknown) => {
      throw new BatchError(cause instanceof Error ? cause.message : String(cause), { cause })
    })

  const call = async <T>(paths: port.Paths, work: (named: port.NamedPaths) => Promise<Result<T>>): Promise<Result<T>> => {
    if (closed) return err(port.closedError())
    const named = port.checkPaths(paths)
    if (!named.ok) return named
    const mine = work(named.value).catch((cause: unknown) => {
      // What a plan throws is the caller's.
      if (!(cause instanceof BatchError)) throw cause
      const advice = 'Check the network and the server; it is unknown whether a write under way was stored.'
      return err(new HermesError('io', `The database failed: ${cause.message}. ${advice}`, { cause: cause.cause }))
    })
    underWay.add(mine)
    return mine.finally(() => underWay.delete(mine))
  }

  /** Updates by this handle run one after another, so that they do not outrun each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }

  const read = (paths: port.Paths) => call(paths, async (named) => ok(port.makeCut(named, await find(ask, named))))

  return {
    read,
    update: (paths, plan) => call(paths, (named) => inTurn(() => update(ask, named, plan))),
    async list(prefix) {
      const folder = closed ? err(port.closedError()) : port.checkFolder(prefix)
      const cut = folder.ok ? await read([`${prefix}/`]) : folder
      return cut.ok ? ok(cut.value.list(prefix)) : cut
    },
    async close() {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}
