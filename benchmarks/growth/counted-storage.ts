/** A storage that counts its calls and the bytes they carry. */
import { updateDocument, moveDocuments } from '@hermes/core/storage'
import { inMemoryBackend } from '../../packages/core/src/storage/backends/in-memory.ts'
import type { StorageBackend, StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'

export interface Usage {
  calls: number
  /** Bytes. */
  read: number
  /** Bytes. */
  written: number
}

export interface CountedStorage {
  readonly storage: StorageBackend
  /** Since the last call. */
  readonly takeUsage: () => Usage
}

export const sumOf = (usages: readonly Usage[]): Usage =>
  usages.reduce((sum, { calls, read, written }) => ({ calls: sum.calls + calls, read: sum.read + read, written: sum.written + written }), {
    calls: 0,
    read: 0,
    written: 0,
  })

export const countedStorage = (documents: Map<string, StoredDocument>): CountedStorage => {
  const inner = inMemoryBackend(documents)
  let usage: Usage = { calls: 0, read: 0, written: 0 }
  const storage: StorageBackend = {
    ...inner,
    read: async (paths) => {
      usage.calls++
      const found = await inner.read(paths)
      if (found.ok) usage.read += found.value?.bytes.length ?? 0
      return found
    },
    update: async (paths, plan) => {
      usage.calls++
      const updated = await updateDocument(inner, paths, (current) => {
        const next = plan(current)
        usage.read += current?.bytes.length ?? 0
        if (next instanceof Uint8Array) usage.written += next.length
        else if (typeof next === 'object') usage.written += next.bytes.length
        return next
      })
      return updated
    },
    list: (prefix) => {
      usage.calls++
      return inner.list(prefix)
    },
    move: (from, to) => {
      usage.calls++
      return moveDocuments(inner, from, to)
    },
  }
  const takeUsage = () => {
    const taken = usage
    usage = { calls: 0, read: 0, written: 0 }
    return taken
  }
  return { storage, takeUsage }
}
