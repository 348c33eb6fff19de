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

/** For your migrations. */
export const TABLE =
  'create table documents (path text primary key, bytes blob not null, executable integer not null, version text not null)'

type Document = port.StoredDocument

const toDocument = ({ bytes, version, executable }: Row): Document => ({
  bytes: bytes as Uint8Array,
  version: String(version),
  ...(executable === 1 ? { executable: true } : {}),
})

// '0' follows '/'.
const below = (path: string): string => `(path >= ${path} || '/' and path < ${path} || '0')`

/** Selects what keeps a path from being free: a document at it, below it, or in the place of one of its folders. */
const near = (path: string, folders: string): string =>
  `select path from documents where path = ${path} or ${below(path)} or path in (select value from json_each(${folders})) limit 1`

const foldersOf = (path: string): string => JSON.stringify([...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)))

const inTheWay = (path: string, found: string): HermesError =>
  port.notADocument(path, port.isBelow(path, found) ? `'${found}' is a document, not a folder` : 'it is a folder')

/** Puts `next` in the place of `current` and returns the path; does nothing if something else is there by now. */
const swap = (path: string, current: Document | undefined, next: Document | undefined): Statement => {
  if (current && !next)
    return { sql: 'delete from documents where path = ? and version = ? returning path', values: [path, current.version] }
  const content = next ? [next.bytes, next.executable ? 1 : 0, next.version] : []
  if (current) {
    const sql = 'update documents set bytes = ?3, executable = ?4, version = ?5 where path = ?1 and version = ?2 returning path'
    return { sql, values: [path, current.version, ...content] }
  }
  const sql = `insert into documents select ?1, ?3, ?4, ?5 where not exists (${near('?1', '?2')}) returning path`
  return { sql, values: [path, foldersOf(path), ...content] }
}

const LONGEST_MS = 15_000
const LONGEST_PAUSE_MS = 20

const updateDocument = async (batch: SqlBatch, path: string, change: port.DocumentChange): Promise<Result<Document | undefined>> => {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; ) {
    const [[row] = []] = await batch([{ sql: 'select * from documents where path = ?', values: [path] }])
    const current = row && toDocument(row)
    const decided = port.checkChangeResult(path, change(current && { ...current, bytes: current.bytes.slice() }), current)
    if (decided === port.UNCHANGED || (!decided && !current)) return ok(current)
    const next = decided && { ...decided, bytes: new Uint8Array(decided.bytes), version: crypto.randomUUID() }
    const inPlace = { sql: near('?1', '?2'), values: [path, foldersOf(path)] }
    const [swapped = [], [found] = []] = await batch([swap(path, current, next), inPlace])
    if (swapped.length > 0) return ok(next && toDocument({ ...next, executable: next.executable ? 1 : 0 }))
    if (!current && found && found['path'] !== path) return err(inTheWay(path, String(found['path'])))
    await new Promise((resolve) => setTimeout(resolve, LONGEST_PAUSE_MS * Math.random()))
  }
  return err(new HermesError('locked', `Other writers kept '${path}' busy. Try again later.`, { details: { path } }))
}

const listDocuments = async (batch: SqlBatch, folder: string): Promise<Result<readonly port.DocumentInfo[]>> => {
  const all = 'select path, length(bytes) as size, version from documents'
  const [rows = []] = await batch([folder === '' ? { sql: all, values: [] } : { sql: `${all} where ${below('?1')}`, values: [folder] }])
  const documents = rows.map(({ path, size, version }) => ({ path: String(path), size: Number(size), stamp: String(version) }))
  return ok(documents.sort((a, b) => port.byCodeUnit(a.path, b.path)))
}

const moveFolder = async (batch: SqlBatch, from: string, to: string): Promise<Result<void>> => {
  const moving = `path = ?1 or ${below('?1')}`
  const free = `not exists (${near('?2', '?3')})`
  const [sources = [], [found] = []] = await batch([
    { sql: `select path from documents where ${moving} limit 1`, values: [from] },
    { sql: near('?1', '?2'), values: [to, foldersOf(to)] },
    {
      sql: `update documents set path = ?2 || substr(path, length(?1) + 1) where (${moving}) and ${free}`,
      values: [from, to, foldersOf(to)],
    },
  ])
  if (sources.length === 0) return err(port.nothingAt(from))
  if (!found) return ok(undefined)
  const place = String(found['path'])
  return err(port.isBelow(to, place) ? inTheWay(to, place) : port.occupiedAt(to))
}

class BatchError extends Error {}

export const sqlBackend = (batch: SqlBatch): StorageBackend => {
  const underWay = new Set<Promise<unknown>>()
  const turns = new Map<string, Promise<unknown>>()
  let closed = false

  const ask: SqlBatch = (statements) =>
    batch(statements).catch((cause: unknown) => {
      throw new BatchError(cause instanceof Error ? cause.message : String(cause), { cause })
    })

  const call = <T>(checked: Result<unknown>, work: () => Promise<Result<T>>): Promise<Result<T>> => {
    if (closed) return Promise.resolve(err(port.closedError()))
    if (!checked.ok) return Promise.resolve(checked)
    const mine = work().catch((cause: unknown) => {
      // What a change throws is the caller's.
      if (!(cause instanceof BatchError)) throw cause
      const advice = 'Check the network and the server; it is unknown whether a write under way was stored.'
      return err(new HermesError('io', `The database failed: ${cause.message}. ${advice}`, { cause: cause.cause }))
    })
    underWay.add(mine)
    const leave = () => underWay.delete(mine)
    mine.then(leave, leave)
    return mine
  }

  /** Updates of a document by this handle run one after another, so that they do not outrun each other. */
  const inTurn = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const mine = (turns.get(path) ?? Promise.resolve()).then(work, work)
    turns.set(path, mine)
    const leave = () => turns.get(path) === mine && turns.delete(path)
    mine.then(leave, leave)
    return mine
  }

  return {
    read(path) {
      const find = { sql: 'select * from documents where path = ?', values: [path] }
      return call(port.checkStoragePath(path), async () => ok((await ask([find]))[0]?.map(toDocument)[0]))
    },
    update: (path, change) => call(port.checkStoragePath(path), () => inTurn(path, () => updateDocument(ask, path, change))),
    list: (folder) => call(port.checkFolder(folder), () => listDocuments(ask, folder)),
    move: (from, to) => call(port.checkMove(from, to), () => moveFolder(ask, from, to)),
    async close() {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}
