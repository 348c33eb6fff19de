/** A view of a storage that cannot be written through, so that a preview stays one whatever a model or a bug asks for. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { byCodeUnit } from './document-tree.ts'
import type { StorageBackend } from './storage-backend.ts'

const refused = (paths: readonly string[]): Result<never> => {
  const named = [...paths].sort(byCodeUnit).map((path) => `'${String(path).slice(0, 80)}'`)
  const message = `Nothing is written here: this is a read-only view, and ${named.join(' and ')} would change. Run it without 'dryRun' to write.`
  return err(new HermesError('unwritable', message, { details: { paths } }))
}

/** Reads and lists; `update` and `move` fail with `unwritable` before they ask anything. Closing the view does not close what is behind it. */
export const readOnlyBackend = (backend: StorageBackend): StorageBackend => ({
  read: (path) => backend.read(path),
  list: (prefix) => backend.list(prefix),
  update: async (path) => refused([path]),
  move: async (fromPrefix, toPrefix) => refused([fromPrefix, toPrefix]),
  close: async () => {},
})
