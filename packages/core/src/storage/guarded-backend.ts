/** A back end that never throws of itself: whatever the given one throws or rejects with becomes an error result. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { checkPaths } from './cut.ts'
import { checkPlan } from './plan.ts'
import type { Cut, Paths, Plan, StorageBackend, UpdateOptions } from './storage-backend.ts'

const failed = (cause: unknown): Result<never> => {
  if (HermesError.isInstance(cause)) return err(cause)
  return err(new HermesError('io', `The storage back end threw instead of answering with an error: ${String(cause)}`, { cause }))
}

const guard = async <T>(call: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await call()
  } catch (cause) {
    return failed(cause)
  }
}

/**
 * Database drivers may throw; that must not break a turn or a review. What a plan throws is its caller's, and is thrown; so is what is wrong with a plan, which
 * is checked here, where no TypeError can be the back end's own.
 */
export const guardedBackend = (backend: StorageBackend): StorageBackend => ({
  read: (paths) => guard(() => backend.read(paths)),
  async update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options?: UpdateOptions) {
    const named = checkPaths(paths)
    if (!named.ok) return named
    let thrown: { readonly cause: unknown } | undefined
    const noting = (cut: Cut): Plan<T> => {
      try {
        const planned = plan(cut)
        checkPlan(planned, named.value)
        return planned
      } catch (cause) {
        thrown = { cause }
        throw cause
      }
    }
    try {
      return await backend.update(paths, noting, options)
    } catch (cause) {
      if (thrown && thrown.cause === cause) throw cause
      return failed(cause)
    }
  },
  list: (prefix) => guard(() => backend.list(prefix)),
  close: () => backend.close(),
})
