/** Storage in one SQLite file, for the processes of one machine. */
import { err, ok, type Result, type StorageBackend } from '@hermes/core'
import * as port from '@hermes/core/storage'
import { changeDocuments, inOrder, openCut, readCut } from './change-documents.ts'
import { Connection } from './connection.ts'
import { type Database, openDatabase } from './open-database.ts'

export interface SqliteBackendOptions {
  /** Longest time of a call, with its repetitions while another process writes, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

/** Number of documents that a listing reads in one turn of the event loop. */
const PAGE = 1_000

/**
 * Documents in a table of `file`, which is created at the first call; its folder must exist. Throws a TypeError for a path or an option
 * that cannot be used, and an Error on a Node without node:sqlite.
 */
export const sqliteBackend = (file: string, { timeoutMs }: SqliteBackendOptions = {}): StorageBackend => {
  const connection = new Connection('sqliteBackend', file, timeoutMs)

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
    const written = await connection.attempt('write', () => {
      const db = connection.database
      return db.write(() => work(db))
    })
    if (thrown) throw thrown.cause
    if (forget && written.ok) await connection.emptyLog()
    return written
  }

  const read = (named: port.NamedPaths): Promise<Result<port.Cut>> =>
    connection.attempt('read', () => {
      const db = connection.database
      return db.read(() => ok(readCut(db.documents, named)))
    })

  const list = async (folder: string): Promise<Result<readonly port.DocumentInfo[]>> => {
    const found: port.DocumentInfo[] = []
    // A connection of its own sees the tree as it was at the first step, whatever is written meanwhile.
    let own: Database | undefined
    let rows: Iterator<port.DocumentInfo> | undefined
    const readPage = (): Result<boolean> => {
      own ??= openDatabase(connection.location)
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
        const page = await connection.attempt('read', readPage)
        if (!page.ok) return page
        hasMore = page.value
      }
    } finally {
      own?.close()
    }
    return ok(inOrder(found))
  }

  return {
    read: (paths) => connection.call(port.checkPaths(paths), read),
    update: (paths, plan, { forget = false } = {}) => connection.call(port.checkPaths(paths), (named) => update(named, plan, forget)),
    list: (folder) => connection.call(port.checkFolder(folder), () => list(folder)),
    close: () => connection.close(),
  }
}
