/** A storage that reads from another one but keeps writes in memory, so that a dry run takes the same steps as a real import. */

import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/backends/in-memory.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'

/** Never writes to `below` and does not close it. `move` fails with `unwritable`. */
export const scratchBackend = (below: StorageBackend): StorageBackend => {
  const documents = new Map<string, StoredDocument>()
  const above = inMemoryBackend(documents)
  // Paths whose state is in memory, including removed documents.
  const touched = new Set<string>()
  return {
    read: (path) => (touched.has(path) ? above.read(path) : below.read(path)),
    update: async (path, change) => {
      if (!touched.has(path)) {
        const current = await below.read(path)
        if (!current.ok) return current
        // Another update may have run meanwhile.
        if (current.value && !touched.has(path)) documents.set(path, current.value)
        touched.add(path)
      }
      return above.update(path, change)
    },
    list: async (prefix) => {
      const [lower, upper] = await Promise.all([below.list(prefix), above.list(prefix)])
      if (!lower.ok || !upper.ok) return lower.ok ? upper : lower
      const kept = lower.value.filter(({ path }) => !touched.has(path))
      return ok([...kept, ...upper.value].sort((a, b) => byCodeUnit(a.path, b.path)))
    },
    move: async () => err(new HermesError('unwritable', 'Documents cannot be moved in a dry run.')),
    close: async () => {},
  }
}
