/** Work on many documents, a few at a time. */
import { ok, type Result } from '../../shared/result.ts'

/** Enough to keep a disk or a connection busy, few enough for the open files of a process. */
const AT_ONCE = 16

/** In the order of the items. */
export function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += AT_ONCE) yield items.slice(start, start + AT_ONCE)
}

/** In the order of the items; begins nothing more after the first error, which is the answer. */
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
