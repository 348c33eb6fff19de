/** A back end that never throws: whatever the given one throws or rejects with becomes an error result. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from './storage-backend.ts'

const guard = async <T>(call: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await call()
  } catch (cause) {
    if (HermesError.isInstance(cause)) return err(cause)
    return err(new HermesError('io', `The storage back end threw instead of answering with an error: ${String(cause)}`, { cause }))
  }
}

/** Database drivers may throw; that must not break a turn or a review. */
export const guardedBackend = (backend: StorageBackend): StorageBackend => ({
  read: (path) => guard(() => backend.read(path)),
  update: (path, change, options) => guard(() => backend.update(path, change, options)),
  list: (prefix) => guard(() => backend.list(prefix)),
  move: (fromPrefix, toPrefix) => guard(() => backend.move(fromPrefix, toPrefix)),
  removeLeftovers: (prefix) => guard(async () => (await backend.removeLeftovers?.(prefix)) ?? ok(undefined)),
  close: () => backend.close(),
})
