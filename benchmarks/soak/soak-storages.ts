/** The storages of a soak, each opened as another process would open it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inMemoryBackend, type StorageBackend } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { postgresBackend } from '@hermes/postgres'
import pg from 'pg'

export interface OpenStorage {
  readonly storage: StorageBackend
  /** After `storage.close()`. */
  readonly close: () => Promise<void>
}

export interface SoakStorage {
  /** All that are open at a time have the same documents. */
  readonly open: () => Promise<OpenStorage>
  readonly remove: () => Promise<void>
}

const nothing = async (): Promise<void> => {}

export const soakInMemory = (): SoakStorage => {
  const storage = inMemoryBackend()
  return { open: async () => ({ storage: { ...storage, close: nothing }, close: nothing }), remove: nothing }
}

export const soakInFiles = (): SoakStorage => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-soak-'))
  return {
    open: async () => ({ storage: fileSystemBackend(join(folder, 'home')), close: nothing }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

const CONNECTIONS = 4

/** `url`: of a server whose schema `hermes` is not in use. */
export const soakOnPostgres = (url: string): SoakStorage => ({
  open: async () => {
    // No connection is closed while the pool is in use, so that their number says something.
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, idleTimeoutMillis: 0 })
    pool.on('error', () => undefined)
    await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.05)')))
    return { storage: postgresBackend(pool), close: () => pool.end() }
  },
  remove: nothing,
})

/** PostgreSQL compiled to WebAssembly, where no server can be started. */
export const soakOnPglite = async (): Promise<SoakStorage> => {
  const { pglite } = await import('../../packages/postgres/test/support/pglite.ts')
  return { open: async () => ({ storage: postgresBackend(pglite), close: nothing }), remove: () => pglite.close() }
}
