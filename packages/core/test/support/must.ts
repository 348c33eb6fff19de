/** The value of a result that has to be ok. */
import type { Result } from '../../src/shared/result.ts'

export const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}
