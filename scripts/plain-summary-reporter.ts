/**
 * Ends a test run with one plain line, `N passed, N failed`, for people and scripts that read only the end. A line about skipped tests
 * precedes it.
 */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The last lines. If the exit code is an error, the number of failures is at least 1. */
const plainSummary = ({ passed, failed, skipped }: TestCounts, exitCode: number): string => {
  const failures = exitCode === 0 ? failed : Math.max(failed, 1)
  return `${skipped > 0 ? `${skipped} skipped\n` : ''}${passed} passed, ${failures} failed`
}

/** Counts tests. An error outside a test (a file that does not load, a broken hook, an unhandled rejection) counts as a failure. */
const countTests = (modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): TestCounts => {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
  for (const module of modules) {
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      // A test that never ran counts as failed: the run was interrupted.
      counts[state === 'pending' ? 'failed' : state] += 1
    }
  }
  return counts
}

/** Prints at process exit, after all output of Vitest. A run without any test counts as failed. */
export const plainSummaryReporter = (): Reporter => {
  let counts: TestCounts = { passed: 0, failed: 0, skipped: 0 }
  return {
    onInit: () => {
      process.once('exit', (code) => {
        const exitCode = code === 0 && counts.passed + counts.skipped === 0 ? 1 : code
        process.exitCode = exitCode
        process.stdout.write(`\n${plainSummary(counts, exitCode)}\n`)
      })
    },
    onTestRunEnd: (modules, unhandledErrors) => {
      counts = countTests(modules, unhandledErrors)
    },
  }
}
