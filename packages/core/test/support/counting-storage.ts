/** A back end that counts documents listed and documents read. */
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export interface CountingStorage {
  readonly storage: StorageBackend
  readonly listed: () => number
  readonly read: () => number
  readonly reset: () => void
}

export const countingStorage = (inner: StorageBackend): CountingStorage => {
  let listed = 0
  let read = 0
  return {
    storage: {
      ...inner,
      read: (paths) => {
        read += paths.length
        return inner.read(paths)
      },
      list: async (prefix) => {
        const documents = await inner.list(prefix)
        if (documents.ok) listed += documents.value.length
        return documents
      },
    },
    listed: () => listed,
    read: () => read,
    reset: () => {
      listed = 0
      read = 0
    },
  }
}
