/** Storage in one SQLite file, for the processes of one machine. */
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { err, ok, type Result, type StorageBackend } from '@hermes/core'
import * as port from '@hermes/core/storage'
import { changeDocuments, inOrder, openCut, readCut } from './change-documents.ts'
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

const checkTimeout = (value: unknown): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_MS) return value
  throw new TypeError(`timeoutMs must be a whole number from 1 to ${MAX_TIMEOUT_MS}, but is ${String(value)}.`)
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

  /** Text that was replaced may still be in the write-ahead log. Waits for other connections that keep it as long as the call may last. */
  const emptyLog = async (): Promise<void> => {
    const end = performance.now() + longestMs
    for (;;) {
      const emptied = await attempt('write', () => ok(open().emptyLog()))
      if (!emptied.ok || emptied.value || performance.now() + LONGEST_PAUSE_MS > end) return
      await setTimeout(LONGEST_PAUSE_MS * random())
    }
  }

  const update = async <T>(named: port.NamedPaths, plan: (cut: port.Cut) => port.Plan<T>, forget: boolean): Promise<Result<T>> => {
    let thrown: { readonly cause: unknown } | undefined
    const decide = (cut: port.Cut): port.CheckedPlan<T> | undefined => {
      try {
        return port.checkPlan(plan(cut), named)
      } catch (cause) {
        // Not an error of the database, even if it looks like one.
        thrown = { cause }
        return undefined
      }
    }
    const work = ({ documents }: Database): Result<T> => {
      const { cut, end } = openCut(documents, named)
      const planned = decide(cut)
      end()
      if (!planned) return err(port.closedError())
      const problem = changeDocuments(documents, planned)
      return problem ? err(problem) : ok(planned.value)
    }
    const written = await attempt('write', () => {
      const db = open()
      return db.write(() => work(db))
    })
    if (thrown) throw thrown.cause
    if (forget && written.ok) await emptyLog()
    return written
  }

  const read = (named: port.NamedPaths): Promise<Result<port.Cut>> =>
    attempt('read', () => {
      const db = open()
      return db.read(() => ok(readCut(db.documents, named)))
    })

  const list = async (folder: string): Promise<Result<readonly port.DocumentInfo[]>> => {
    const found: port.DocumentInfo[] = []
    // A connection of its own sees the tree as it was at the first step, whatever is written meanwhile.
    let own: Database | undefined
    let rows: Iterator<port.DocumentInfo> | undefined
    const readPage = (): Result<boolean> => {
      own ??= openDatabase(location)
      if (!rows || found.length === 0) rows = own.documents.below(folder)
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
    return ok(inOrder(found))
  }

  return {
    read: (paths) => {
      const named = port.checkPaths(paths)
      return call(named, async () => (named.ok ? read(named.value) : named))
    },
    update: (paths, plan, { forget = false } = {}) => {
      const named = port.checkPaths(paths)
      return call(named, async () => (named.ok ? update(named.value, plan, forget) : named))
    },
    list: (folder) => call(port.checkFolder(folder), () => list(folder)),
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
