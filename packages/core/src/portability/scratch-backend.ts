/** A storage over another one whose writes stay in this process, so that a preview takes the very steps of the real thing. */

import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/backends/in-memory.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'

/** Never writes to `below`, and does not close it. Documents cannot be moved. */
export const scratchBackend = (below: StorageBackend): StorageBackend => {
  const documents = new Map<string, StoredDocument>()
  const above = inMemoryBackend(documents)
  // Paths whose documents are told from here, also where there is none any more.
  const touched = new Set<string>()
  return {
    read: (path) => (touched.has(path) ? above.read(path) : below.read(path)),
    update: async (path, change) => {
      if (!touched.has(path)) {
        const current = await below.read(path)
        if (!current.ok) return current
        // Another update may have been here meanwhile.
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
    move: async () => err(new HermesError('unwritable', 'Nothing is moved in a preview.')),
    close: async () => {},
  }
}
