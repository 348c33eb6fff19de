/** A storage that counts its calls and the bytes they carry. */
import { inMemoryBackend } from '../../packages/core/src/storage/in-memory.ts'
import type { Cut, Paths, StorageBackend, StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'

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

const bytesRead = (cut: Cut, paths: Paths): number =>
  paths.reduce((sum, path) => sum + (path.endsWith('/') ? 0 : (cut.document(path)?.bytes.length ?? 0)), 0)

export const countedStorage = (documents: Map<string, StoredDocument>): CountedStorage => {
  const inner = inMemoryBackend(documents)
  let usage: Usage = { calls: 0, read: 0, written: 0 }
  const storage: StorageBackend = {
    ...inner,
    read: async (paths) => {
      usage.calls++
      const found = await inner.read(paths)
      if (found.ok) usage.read += bytesRead(found.value, paths)
      return found
    },
    update: (paths, plan, options) => {
      usage.calls++
      return inner.update(
        paths,
        (cut) => {
          const planned = plan(cut)
          usage.read += bytesRead(cut, paths)
          for (const next of Object.values(planned.put ?? {})) usage.written += (next && 'bytes' in next ? next.bytes : next)?.length ?? 0
          for (const more of Object.values(planned.append ?? {})) usage.written += more.length
          return planned
        },
        options,
      )
    },
    list: (prefix) => {
      usage.calls++
      return inner.list(prefix)
    },
  }
  const takeUsage = () => {
    const taken = usage
    usage = { calls: 0, read: 0, written: 0 }
    return taken
  }
  return { storage, takeUsage }
}
