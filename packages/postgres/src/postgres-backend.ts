/** Storage in PostgreSQL, over the client that the host already has. */
import { err, ok, type Result, type StorageBackend } from '@hermes/core'
import { checkFolder, checkMove, checkStoragePath } from '@hermes/core/storage'
import { createCalls } from './calls/create-calls.ts'
import { createInTurn } from './calls/in-turn.ts'
import { createKnownDocuments } from './calls/known-documents.ts'
import { listDocuments } from './calls/list-documents.ts'
import { moveFolder } from './calls/move-folder.ts'
import { createReadDocument } from './calls/read-documents.ts'
import { type UpdateDeps, updateDocument } from './calls/update-document.ts'
import { checkOptions, type PostgresBackendOptions } from './check-options.ts'
import { detectDriver, type PostgresClient } from './drivers/detect-driver.ts'
import { judgeFailure } from './failures/judge-failure.ts'
import { type Patience, retrying } from './failures/patience.ts'
import { schemaNames } from './schema/schema-name.ts'

/**
 * Documents in a table of the schema, whose tables are created at the first call. Throws a TypeError for a client or an option that cannot be
 * used. Closing it waits for its calls and leaves the host's client open.
 */
export const postgresBackend = (client: PostgresClient, options: PostgresBackendOptions = {}): StorageBackend => {
  const { schema, timeoutMs, maxDocumentBytes } = checkOptions(options)
  const driver = detectDriver(client)
  const names = schemaNames(schema)
  const createId = () => crypto.randomUUID()
  const known = createKnownDocuments()
  const inTurn = createInTurn()
  const readDocument = createReadDocument(driver, names)
  const updates: UpdateDeps = { driver, names, known, contended: new Set(), createId, limits: { maxDocumentBytes } }
  const { call, ensure, close } = createCalls({ driver, names, timeoutMs, createId })

  const toError = (cause: unknown): Result<never> => err(judgeFailure(cause).error)

  /** Asks while the tables are checked, so that the check costs no time. */
  const ask = async <T>(patience: Patience, work: () => Promise<T>): Promise<Result<T>> => {
    try {
      const [checked, answered] = await Promise.allSettled([ensure(patience), retrying(patience, work)])
      if (checked.status === 'rejected') throw checked.reason
      if (answered.status === 'fulfilled') return ok(answered.value)
      return ok(await retrying(patience, work))
    } catch (cause) {
      return toError(cause)
    }
  }

  return {
    read: (path) =>
      call(checkStoragePath(path), async (patience) => {
        const document = await ask(patience, () => readDocument(path))
        if (document.ok) known.set(path, document.value)
        return document
      }),

    update: (path, change) =>
      call(checkStoragePath(path), (patience) =>
        inTurn(path, async () => {
          const ready = await ensure(patience).then(() => ok(undefined), toError)
          if (!ready.ok) return ready
          return updateDocument(updates, { path, change, patience })
        }),
      ),

    list: (prefix) => call(checkFolder(prefix), (patience) => ask(patience, () => listDocuments(driver, names, prefix))),

    move: (from, to) =>
      call(checkMove(from, to), async (patience) => {
        try {
          await ensure(patience)
          const error = await moveFolder(driver, names, { from, to, moveId: createId(), patience })
          return error ? err(error) : ok(undefined)
        } catch (cause) {
          return toError(cause)
        } finally {
          known.clear()
        }
      }),

    close,
  }
}
