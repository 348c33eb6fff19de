/** Processes many documents in batches. */
import { ok, type Result } from '../../shared/result.ts'

/** Keeps a disk or a connection busy without using up the process's file handles. */
const AT_ONCE = 16

/** Batches in the order of the items. */
export function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += AT_ONCE) yield items.slice(start, start + AT_ONCE)
}

/** Results in the order of the items. Starts nothing more after the first error and returns that error. */
export const inBatches = async <T, R>(items: readonly T[], work: (item: T) => Promise<Result<R>>): Promise<Result<readonly R[]>> => {
  const values: R[] = []
  for (const batch of batchesOf(items)) {
    for (const result of await Promise.all(batch.map(work))) {
      if (!result.ok) return result
      values.push(result.value)
    }
  }
  return ok(values)
}
