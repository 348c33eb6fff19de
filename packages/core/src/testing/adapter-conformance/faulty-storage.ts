/** A back end that works until it is told to fail, as a full disk or a lost connection would. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'

export interface FaultyStorage extends StorageBackend {
  /** From now on every call fails with `io`. */
  fail(): void
}

export const faultyStorage = (inner: StorageBackend): FaultyStorage => {
  let failing = false
  const broken = () => err(new HermesError('io', 'The disk is gone (a scripted failure).'))
  return {
    fail() {
      failing = true
    },
    read: async (path) => (failing ? broken() : inner.read(path)),
    update: async (path, change) => (failing ? broken() : inner.update(path, change)),
    list: async (prefix) => (failing ? broken() : inner.list(prefix)),
    move: async (from, to) => (failing ? broken() : inner.move(from, to)),
    close: () => inner.close(),
  }
}
