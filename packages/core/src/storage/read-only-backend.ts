/** A read-only view of a storage, so that a preview cannot write. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { StorageBackend } from './storage-backend.ts'

const refused = (paths: readonly string[]): Result<never> => {
  const named = paths.map((path) => `'${String(path).slice(0, 80)}'`)
  const message = `Nothing was written: this is a read-only view, and ${named.join(' and ')} would change. Run it without 'dryRun' to write.`
  return err(new HermesError('unwritable', message, { details: { paths } }))
}

/** Reads and lists; `update` and `move` fail with `unwritable` without calling `change`. Closing the view does not close the storage. */
export const readOnlyBackend = (backend: StorageBackend): StorageBackend => ({
  read: (path) => backend.read(path),
  list: (prefix) => backend.list(prefix),
  update: async (path) => refused([path]),
  move: async (fromPrefix, toPrefix) => refused([fromPrefix, toPrefix]),
  close: async () => {},
})
