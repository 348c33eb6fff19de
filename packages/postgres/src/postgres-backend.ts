/** Storage in PostgreSQL, over the client that the host already has. */
import { err, ok, type Result, type StorageBackend } from '@hermes/core'
import { checkFolder, checkPaths, makeCut, type NamedPaths } from '@hermes/core/storage'
import { createCalls } from './calls/create-calls.ts'
import { type CutRows, emptyCut, readCut } from './calls/cut-rows.ts'
import { createInTurn } from './calls/in-turn.ts'
import { type UpdateDeps, updateDocuments } from './calls/update-documents.ts'
import { checkOptions, type PostgresBackendOptions } from './check-options.ts'
import { detectDriver, type PostgresClient } from './drivers/detect-driver.ts'
import { judgeFailure } from './failures/judge-failure.ts'
import { type Patience, retrying } from './failures/patience.ts'
import { schemaNames } from './schema/schema-name.ts'

/** Milliseconds for which the server's clock is known after an answer. */
const CLOCK_KNOWN_MS = 60_000

/**
 * Documents in a table of the schema, whose tables are created at the first call. Throws a TypeError for a client or an option that cannot be
 * used. Closing it waits for its calls and leaves the host's client open.
 */
export const postgresBackend = (client: PostgresClient, options: PostgresBackendOptions = {}): StorageBackend => {
  const { schema, timeoutMs, maxDocumentBytes } = checkOptions(options)
  const driver = detectDriver(client)
  const names = schemaNames(schema)
  const createId = () => crypto.randomUUID()
  const updates: UpdateDeps = { driver, names, createId, maxDocumentBytes, inTurn: createInTurn(), contended: new Set() }
  const { call, ensure, close } = createCalls({ driver, names, timeoutMs, createId })

  /** The server's clock as of the last answer, and ours when it came. */
  let clock: { readonly server: number; readonly ours: number } | undefined

  /**
   * Undefined if a cut has to be read: it is not known when the server has to refuse a request that comes late, or the plan also looks at a document that may be
   * there, such as the registration of an owner.
   */
  const cutOfClaim = ({ documents, folders }: NamedPaths, patience: Patience): CutRows | undefined => {
    if (!clock || documents.size + folders.length > 1) return undefined
    const passed = performance.now() - clock.ours
    return passed < CLOCK_KNOWN_MS ? emptyCut(clock.server + passed + patience.left()) : undefined
  }

  /** Reads while the tables are checked, so that the check costs no time. */
  const read = async (named: NamedPaths, patience: Patience, whole?: readonly string[]): Promise<Result<CutRows>> => {
    const ask = () => retrying(patience, () => readCut(driver.query, names, named, whole, patience))
    try {
      const [checked, answered] = await Promise.allSettled([ensure(patience), ask()])
      if (checked.status === 'rejected') throw checked.reason
      const rows = answered.status === 'fulfilled' ? answered.value : await ask()
      clock = { server: rows.until - patience.left(), ours: performance.now() }
      return ok(rows)
    } catch (cause) {
      return err(judgeFailure(cause).error)
    }
  }

  return {
    read: (paths) => {
      const named = checkPaths(paths)
      return call(named, async (patience) => {
        if (!named.ok) return named
        const rows = await read(named.value, patience)
        return rows.ok ? ok(makeCut(named.value, rows.value)) : rows
      })
    },

    // `forget` needs nothing more: rows that were replaced leave the files of the server with its next vacuum, and no other table has text of a document.
    update: (paths, plan, { durable = true, claim = false } = {}) => {
      const named = checkPaths(paths)
      return call(named, async (patience) => {
        if (!named.ok) return named
        return updateDocuments(updates, {
          named: named.value,
          plan,
          durable,
          patience,
          first: claim ? cutOfClaim(named.value, patience) : undefined,
          read: (whole) => read(named.value, patience, whole),
        })
      })
    },

    list: (prefix) => {
      const folder = checkFolder(prefix)
      return call(folder, async (patience) => {
        const rows = await read({ documents: new Set(), folders: [prefix] }, patience)
        return rows.ok ? ok(rows.value.infos) : rows
      })
    },

    close,
  }
}
