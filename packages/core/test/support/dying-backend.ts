/** A storage whose process dies after a number of changes. */

import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, type Result } from '../../src/shared/result.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

/** Fails every change after the given number of changes, like a process that has died. */
export const dyingBackend = (inner: StorageBackend, changes: number): StorageBackend & { readonly isDead: () => boolean } => {
  let left = changes
  const live = async <T>(call: () => Promise<Result<T>>): Promise<Result<T>> =>
    left-- > 0 ? call() : err(new HermesError('io', 'The process is dead.'))
  return {
    ...inner,
    isDead: () => left < 0,
    update: (paths, plan, options) => live(() => inner.update(paths, plan, options)),
  }
}
