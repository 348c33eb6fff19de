/** A back end that fails on demand, like a full disk or a lost connection. */
import { err, HermesError, type StorageBackend } from '@hermes/core'

/** `errors`: returns an error result, as the port requires. `rejects`: rejects, like a faulty database driver. `throws`: throws synchronously. */
export type StorageFault = 'errors' | 'rejects' | 'throws'

export const STORAGE_FAULTS = ['errors', 'rejects', 'throws'] as const satisfies readonly StorageFault[]

export interface FaultyStorage extends StorageBackend {
  /** Makes every further call fail in this way. */
  fail(how: StorageFault): void
}

const GONE = 'The disk is gone (a scripted failure).'

export const faultyStorage = (inner: StorageBackend): FaultyStorage => {
  let fault: StorageFault | undefined
  const unlessFailing = <T>(call: () => Promise<T>) => {
    if (fault === undefined) return call()
    if (fault === 'errors') return Promise.resolve(err(new HermesError('io', GONE)))
    if (fault === 'rejects') return Promise.reject(new Error(GONE))
    throw new Error(GONE)
  }
  return {
    fail(how) {
      fault = how
    },
    read: (paths) => unlessFailing(() => inner.read(paths)),
    update: (paths, plan, options) => unlessFailing(() => inner.update(paths, plan, options)),
    list: (prefix) => unlessFailing(() => inner.list(prefix)),
    close: () => inner.close(),
  }
}
