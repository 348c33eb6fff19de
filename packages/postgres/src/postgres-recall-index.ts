/** `@hermes/postgres/recall`: the index of `@hermes/recall` in PostgreSQL, over the client that the host already has. */
import { err, ok, type Result } from '@hermes/core'
import type { HomeRecallIndex, RecallIndex, RecallIndexHome, RecallItem } from '@hermes/recall'
import { createCalls } from './calls/create-calls.ts'
import { checkOptions, type PostgresRecallIndexOptions } from './check-options.ts'
import { detectDriver, type PostgresClient } from './drivers/detect-driver.ts'
import type { Query, Row } from './drivers/driver.ts'
import { judgeFailure } from './failures/judge-failure.ts'
import { retrying } from './failures/patience.ts'
import { createDerivation } from './recall/derive-items.ts'
import { inGroups, newEntry } from './recall/item-rows.ts'
import { createSessionReads } from './recall/read-sessions.ts'
import { createRemoval } from './recall/remove-items.ts'
import { createSearch } from './recall/search-items.ts'
import { createVectorRows } from './recall/vector-rows.ts'
import { RECALL_TABLES } from './schema/migrations.ts'
import { schemaNames } from './schema/schema-name.ts'

export type { PostgresRecallIndexOptions } from './check-options.ts'
export type { PostgresClient } from './drivers/detect-driver.ts'

/**
 * The index of all homes in tables of the schema, which the first call creates. Every statement names its home. Throws a TypeError for a client or an
 * option that cannot be used. The host's client stays open.
 */
export const postgresRecallIndex = (client: PostgresClient, options: PostgresRecallIndexOptions = {}): RecallIndex => {
  const { schema, timeoutMs } = checkOptions(options)
  const driver = detectDriver(client)
  const names = schemaNames(schema)
  const callsOptions = { driver, names, timeoutMs, createId: () => crypto.randomUUID(), tables: RECALL_TABLES }
  const shared = createCalls(callsOptions)

  const open = async (home: RecallIndexHome): Promise<HomeRecallIndex> => {
    const { folder } = home
    const calls = createCalls(callsOptions)
    const closing = new AbortController()

    /** Each statement has the whole time of a call: some calls are many statements. All may be repeated after a lost connection. */
    const query: Query = async (text, values) => {
      const answered = await calls.call(ok(undefined), async (patience): Promise<Result<readonly Row[]>> => {
        try {
          await shared.ensure(patience)
          return ok(await retrying(patience, () => driver.query(text, values)))
        } catch (cause) {
          return err(judgeFailure(cause).error)
        }
      })
      if (!answered.ok) throw answered.error
      return answered.value
    }

    const add = (items: readonly RecallItem[]): Promise<number> =>
      inGroups(
        items,
        (item) => newEntry(home, item),
        async (entries) => {
          const statement = `select ${names.recallAdd}($1::text, $2::integer, $3::text)::text as items`
          const [row] = await query(statement, [folder, home.termsVersion, entries])
          return Number(row?.['items'])
        },
      )

    const search = createSearch(query, names)
    const removal = createRemoval(query, names, folder)
    const derivation = createDerivation({ query, names }, home)

    const deriveOutdated = async (): Promise<void> => {
      try {
        await derivation.derive('outdated', undefined, closing.signal)
      } catch (cause) {
        if (!closing.signal.aborted) home.report(judgeFailure(cause).error)
      }
    }
    const upkeep = (await derivation.isOutdated()) ? deriveOutdated() : Promise.resolve()

    return {
      add,
      async replaceArchived(items) {
        await removal.keepArchived(items)
        await add(items)
      },
      search: (asked) => search(folder, asked),
      ...createSessionReads(query, names, folder),
      forget: removal.forget,
      prune: removal.prune,
      reindex: (progress, signal) => derivation.derive('all', progress, signal),
      check: derivation.check,
      vectors: createVectorRows(query, names, folder),
      async close() {
        closing.abort()
        await upkeep
        await calls.close()
      },
    }
  }

  return { open }
}
