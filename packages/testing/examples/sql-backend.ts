/** Documents in one file of SQLite. Each update is one transaction; any number of processes share the file. */
import { DatabaseSync } from 'node:sqlite'
import { err, HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import * as port from '@hermes/core/storage'

const SETUP = `pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;
create table if not exists documents (path text primary key, bytes blob not null, executable integer not null, stamp text not null);
pragma busy_timeout = 0`
const LONGEST_MS = 15_000

export const sqlBackend = (file: string): StorageBackend => {
  const database = new DatabaseSync(file)
  database.exec(SETUP)
  let closed = false
  let last: Promise<unknown> = Promise.resolve()

  /** What is there, for `makeCut` and `runPlan`. */
  const find = ({ folders }: port.NamedPaths) => {
    const rows = database.prepare('select * from documents').all() as {
      path: string
      bytes: Uint8Array
      executable: number
      stamp: string
    }[]
    const named = rows.filter(({ path }) => folders.some((folder) => port.isBelow(path, folder)))
    const infos = named.map(({ path, bytes, stamp }) => ({ path, size: bytes.length, stamp }))
    const documents = rows.map(({ path, bytes, executable }) => [path, { bytes, ...(executable ? { executable: true } : {}) }] as const)
    return { documents: new Map(documents), infos: infos.sort((a, b) => port.byCodeUnit(a.path, b.path)) }
  }

  /** Runs `work` as one transaction. Waits for other processes without blocking this one. */
  const transaction = async <T>(work: () => Result<T>): Promise<Result<T>> => {
    for (const end = performance.now() + LONGEST_MS; ; ) {
      try {
        database.exec('begin immediate')
        const result = work()
        database.exec(result.ok ? 'commit' : 'rollback')
        return result
      } catch (cause) {
        if (database.isTransaction) database.exec('rollback')
        // What a plan throws is the caller's.
        if (!(cause instanceof Error && 'errcode' in cause)) throw cause
        if (cause.errcode !== 5) return err(new HermesError('io', `The database failed: ${cause.message}. Nothing was written.`, { cause }))
        if (performance.now() > end) return err(new HermesError('locked', 'Other processes kept the database busy. Try again.', { cause }))
        await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()))
      }
    }
  }

  /** One call after another. */
  const call = async <T>(named: Result<port.NamedPaths>, work: (named: port.NamedPaths) => Result<T>): Promise<Result<T>> => {
    if (closed) return err(port.closedError())
    if (!named.ok) return named
    const mine = last.then(() => transaction(() => work(named.value)))
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    read: (paths) => call(port.checkPaths(paths), (named) => ok(port.makeCut(named, find(named)))),
    update: (paths, plan) =>
      call(port.checkPaths(paths), (named) => {
        const planned = port.runPlan(named, find(named), plan)
        if (!planned.ok) return planned
        const { documents: before } = find(named)
        const after = port.applyPlan(before, planned.value)
        if (!after.ok) return after
        const remove = database.prepare('delete from documents where path = ?')
        for (const path of before.keys()) if (!after.value.has(path)) remove.run(path)
        const write = database.prepare('insert or replace into documents values (?, ?, ?, ?)')
        for (const [path, document] of after.value)
          if (before.get(path) !== document) write.run(path, document.bytes, document.executable ? 1 : 0, crypto.randomUUID())
        return ok(planned.value.value)
      }),
    async list(prefix) {
      const folder = port.checkFolder(prefix)
      const named = folder.ok ? ok({ documents: new Set<string>(), folders: [folder.value] }) : folder
      return call(named, (all) => ok(find(all).infos))
    },
    async close() {
      closed = true
      await last
      if (database.isOpen) database.close()
    },
  }
}
