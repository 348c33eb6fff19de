/** A back end that never throws of itself: whatever the given one throws or rejects with becomes an error result. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { checkPaths } from './cut.ts'
import { type CheckedPlan, checkPlan } from './plan.ts'
import type { Cut, Paths, Plan, StorageBackend, UpdateOptions } from './storage-backend.ts'

/** What one update may change: documents and moves, and bytes of the new documents. The figures behind it are in docs/storage.md. */
export const MOST_CHANGES = 20_000
const MOST_BYTES = 512 * 1024 * 1024

const tooLarge = ({ moves, puts, appends }: CheckedPlan<unknown>): HermesError | undefined => {
  const changes = moves.length + puts.size + appends.size
  let bytes = 0
  for (const put of puts.values()) bytes += put?.bytes.length ?? 0
  for (const more of appends.values()) bytes += more.length
  if (changes <= MOST_CHANGES && bytes <= MOST_BYTES) return undefined
  const n = (value: number): string => value.toLocaleString('en')
  const what = `${n(changes)} documents with ${n(bytes)} bytes, and one update may have ${n(MOST_CHANGES)} with ${n(MOST_BYTES)}`
  const message = `This would change ${what}. Nothing was written. Do it in parts; of skills, move some folders out of the home first.`
  return new HermesError('over_limit', message, { details: { changes, bytes, maxChanges: MOST_CHANGES, maxBytes: MOST_BYTES } })
}

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

/** Returns the answer of a shared storage, or `undefined` after a timeout. */
export type ReadInTime = <T>(work: Promise<T>) => Promise<T | undefined>

/**
 * Database drivers may throw; that must not break a turn or a review. What a plan throws is its caller's, and is thrown; so is what is wrong with a plan, which
 * is checked here, where no TypeError can be the back end's own. A plan that is too large for one update is `over_limit`, before anything is written.
 */
export const guardedBackend = (backend: StorageBackend): StorageBackend => ({
  read: (paths) => guard(() => backend.read(paths)),
  async update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options?: UpdateOptions) {
    const named = checkPaths(paths)
    if (!named.ok) return named
    let thrown: { readonly cause: unknown } | undefined
    let large: HermesError | undefined
    const noting = (cut: Cut): Plan<T> => {
      try {
        const planned = plan(cut)
        large = tooLarge(checkPlan(planned, named.value))
        if (!large) return planned
      } catch (cause) {
        thrown = { cause }
        throw cause
      }
      throw large
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
