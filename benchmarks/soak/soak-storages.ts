/** The storages of a soak, each opened as another process would open it. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inMemoryBackend, type StorageBackend } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { postgresBackend } from '@hermes/postgres'
import pg from 'pg'

interface OpenStorage {
  readonly storage: StorageBackend
  /** After `storage.close()`. */
  readonly close: () => Promise<void>
}

export interface SoakStorage {
  /** All that are open at a time have the same documents. */
  readonly open: () => Promise<OpenStorage>
  /** Bytes that the storage takes on the disk, its indexes and unused space included; 0 if it has none. */
  readonly measureDisk: () => Promise<number>
  readonly remove: () => Promise<void>
}

const nothing = async (): Promise<void> => {}

export const soakInMemory = (): SoakStorage => {
  const storage = inMemoryBackend()
  return { open: async () => ({ storage: { ...storage, close: nothing }, close: nothing }), measureDisk: async () => 0, remove: nothing }
}

/** Of the unit in which the system counts the blocks of a file. */
const BLOCK_BYTES = 512

const measureFolder = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, path) => {
    // A file may be replaced in the meantime.
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    return sum + (found?.blocks ?? 0) * BLOCK_BYTES
  }, 0)

export const soakInFiles = (): SoakStorage => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-soak-'))
  return {
    open: async () => ({ storage: fileSystemBackend(join(folder, 'home')), close: nothing }),
    measureDisk: async () => measureFolder(folder),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

const CONNECTIONS = 4

/** Tables of the schema, with what belongs to them. */
const TABLE_BYTES = `
  select coalesce(sum(pg_total_relation_size(c.oid)), 0)::text as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'hermes' and c.relkind in ('r', 'p')`

const measureTables = async (query: (sql: string) => Promise<{ readonly rows: readonly unknown[] }>): Promise<number> => {
  const [row] = (await query(TABLE_BYTES)).rows
  if (typeof row !== 'object' || row === null || !('bytes' in row)) throw new TypeError('The size of the tables was not answered.')
  return Number(row.bytes)
}

/** `url`: of a server whose schema `hermes` is not in use. */
export const soakOnPostgres = (url: string): SoakStorage => ({
  open: async () => {
    // No connection is closed while the pool is in use, so that their number says something.
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, idleTimeoutMillis: 0 })
    pool.on('error', () => undefined)
    await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.05)')))
    return { storage: postgresBackend(pool), close: () => pool.end() }
  },
  measureDisk: async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return await measureTables((sql) => client.query(sql))
    } finally {
      await client.end()
    }
  },
  remove: nothing,
})

/** PostgreSQL compiled to WebAssembly, where no server can be started. */
export const soakOnPglite = async (): Promise<SoakStorage> => {
  const { pglite } = await import('../../packages/postgres/test/support/pglite.ts')
  return {
    open: async () => ({ storage: postgresBackend(pglite), close: nothing }),
    measureDisk: () => measureTables((sql) => pglite.query(sql)),
    remove: () => pglite.close(),
  }
}
