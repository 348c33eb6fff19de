/** A read-only view of a storage, so that a preview cannot write. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { StorageBackend } from './storage-backend.ts'

const refused = (paths: readonly string[]): Result<never> => {
  const places = [...new Set(paths.map((path) => String(path).replace(/(?<=.)\/$/, '')))]
  const named = places.map((path) => `'${path.slice(0, 80)}'`)
  const message = `Nothing was written: this is a read-only view, and ${named.join(' and ')} would change. Run it without 'dryRun' to write.`
  return err(new HermesError('unwritable', message, { details: { paths: places } }))
}

/** Reads and lists; `update` fails with `unwritable` without asking for a plan. Closing the view does not close the storage. */
export const readOnlyBackend = (backend: StorageBackend): StorageBackend => ({
  read: (paths) => backend.read(paths),
  list: (prefix) => backend.list(prefix),
  update: async (paths) => refused(paths),
  close: async () => {},
})
