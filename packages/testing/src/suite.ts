/** What the suites share. Must not import vitest: child processes use it too. */
import type { Result } from '@hermes/core'

/**
 * How much of a conformance suite runs: `whole` (the default); `wiring`, the few cases that can break where another driver, entry point or version leads to
 * code that has passed the whole suite.
 */
export type SuiteExtent = 'whole' | 'wiring'

/** Returns the value, or throws the error. */
export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code)
