/** Storage in one SQLite file, for the processes of one machine. */
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { err, type HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import * as port from '@hermes/core/storage'
import { inTurn } from './in-turn.ts'
import { judgeFailure } from './judge-failure.ts'
import { type Database, loadSqlite, openDatabase } from './open-database.ts'

export interface SqliteBackendOptions {
  /** Longest time of a call, with its repetitions while another process writes, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

const MAX_TIMEOUT_MS = 600_000
const LONGEST_PAUSE_MS = 16
/** Number of documents that a listing reads in one turn of the event loop. */
const PAGE = 1_000

const checkFile = (file: unknown): string => {
  if (typeof file === 'string' && file !== '' && !/\0|^file:|^:memory:$/.test(file)) return resolve(file)
  const got = typeof file === 'string' ? JSON.stringify(file) : `a value of type ${typeof file}`
  throw new TypeError(`sqliteBackend takes the path of a file such as '/var/lib/app/hermes.db', but got ${got}.`)
}

type Decision = ReturnType<typeof port.checkChangeResult>

const checkTimeout = (value: unknown): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_MS) return value
  throw new TypeError(`timeoutMs must be a whole number from 1 to ${MAX_TIMEOUT_MS}, but is ${String(value)}.`)
}

/** `found`: what is already near the path. */
const inTheWay = (path: string, found: string): HermesError =>
  port.notADocument(path, port.isBelow(path, found) ? `'${found}' is a document, not a folder` : 'it is a folder')

/** `decide`: the change, with its result checked. */
const updateDocument = (db: Database, path: string, decide: (current: port.StoredDocument | undefined) => Decision) => {
  const current = db.find(path)
  const next = decide(current)
  if (next === port.UNCHANGED) return ok(current)
  if (next === undefined) {
    db.remove(path)
    return ok(undefined)
  }
  const found = current ? undefined : db.nearest(path)
  if (found !== undefined) return err(inTheWay(path, found))
  const version = db.put(path, next)
  return ok({ bytes: new Uint8Array(next.bytes), version, ...(next.executable ? { executable: true } : {}) })
}

const moveFolder = (db: Database, from: string, to: string): Result<void> => {
  const source = db.nearest(from)
  if (source === undefined || port.isBelow(from, source)) return err(port.nothingAt(from))
  const found = db.nearest(to)
  if (found !== undefined) return err(port.isBelow(to, found) ? inTheWay(to, found) : port.occupiedAt(to))
  const moved = db.rename(from, to).map(port.checkStoragePath)
  return moved.find((checked) => !checked.ok) ?? ok(undefined)
}

/** From 0 to 1, so that processes do not repeat in step. */
const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/**
 * Documents in a table of `file`, which is created at the first call; its folder must exist. Throws a TypeError for a path or an option
 * that cannot be used, and an Error on a Node without node:sqlite.
 */
export const sqliteBackend = (file: string, { timeoutMs = 15_000 }: SqliteBackendOptions = {}): StorageBackend => {
  const location = checkFile(file)
  const longestMs = checkTimeout(timeoutMs)
  loadSqlite()
  const underWay = new Set<Promise<unknown>>()
  let closed = false
  let database: Database | undefined

  const open = (): Database => {
    database ??= openDatabase(location)
    return database
  }

  const inTransaction = <T>(work: (db: Database) => Result<T>): Result<T> => {
    const db = open()
    return db.transaction(() => work(db))
  }

  /** Never blocks the thread to wait for a lock: `work` fails at once and is repeated after a pause. */
  const attempt = async <T>(doing: 'read' | 'write', work: () => Result<T>): Promise<Result<T>> => {
    const end = performance.now() + longestMs
    for (let longest = 1; ; longest = Math.min(LONGEST_PAUSE_MS, longest * 2)) {
      try {
        return await inTurn(work)
      } catch (cause) {
        const { retry, error } = judgeFailure(cause, location, doing)
        const pause = longest * random()
        if (!retry || performance.now() + pause > end) return err(error)
        await setTimeout(pause)
      }
    }
  }

  const call = async <T>(checked: Result<unknown>, work: () => Promise<Result<T>>): Promise<Result<T>> => {
    if (closed) return err(port.closedError())
    if (!checked.ok) return checked
    const mine = work()
    underWay.add(mine)
    return mine.finally(() => underWay.delete(mine))
  }

  const update = async (path: string, change: port.DocumentChange): Promise<Result<port.StoredDocument | undefined>> => {
    let thrown: { readonly cause: unknown } | undefined
    const decide = (current: port.StoredDocument | undefined): Decision => {
      try {
        return port.checkChangeResult(path, change(current && { ...current, bytes: current.bytes.slice() }), current)
      } catch (cause) {
        // Not an error of the database, even if it looks like one.
        thrown = { cause }
        return port.UNCHANGED
      }
    }
    const written = await attempt('write', () => inTransaction((db) => updateDocument(db, path, decide)))
    if (thrown) throw thrown.cause
    return written
  }

  const list = async (folder: string): Promise<Result<readonly port.DocumentInfo[]>> => {
    const found: port.DocumentInfo[] = []
    // A connection of its own sees the tree as it was at the first step, whatever is written meanwhile.
    let own: Database | undefined
    let rows: Iterator<port.DocumentInfo> | undefined
    const readPage = (): Result<boolean> => {
      own ??= openDatabase(location)
      if (!rows || found.length === 0) rows = own.below(folder)
      for (let count = 0; count < PAGE; count++) {
        const { done, value } = rows.next()
        if (done === true) return ok(false)
        found.push(value)
      }
      return ok(true)
    }
    try {
      for (let hasMore = true; hasMore; ) {
        const page = await attempt('read', readPage)
        if (!page.ok) return page
        hasMore = page.value
      }
    } finally {
      own?.close()
    }
    return ok(found.sort((a, b) => port.byCodeUnit(a.path, b.path)))
  }

  return {
    read: (path) => call(port.checkStoragePath(path), () => attempt('read', () => ok(open().find(path)))),
    update: (path, change) => call(port.checkStoragePath(path), () => update(path, change)),
    list: (folder) => call(port.checkFolder(folder), () => list(folder)),
    move: (from, to) => call(port.checkMove(from, to), () => attempt('write', () => inTransaction((db) => moveFolder(db, from, to)))),
    close: async () => {
      closed = true
      await Promise.allSettled(underWay)
      await inTurn(() => {
        database?.close()
        database = undefined
      })
    },
  }
}
