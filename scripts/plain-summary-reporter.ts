/**
 * Ends a test run with one plain line, `N passed, N failed`, for people and scripts that read only the end. Lines about skipped tests, the
 * processor time and what broke its budget precede it. A run that a signal stops says so instead.
 */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { processorSeconds } from './support/processor-time.ts'

interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What the short run may take, in CI. A file above it belongs into the long run, in part or as a whole. */
export interface Budget {
  /** Seconds of processor time, on the machine whose `referenceSeconds` these are. */
  readonly fileSeconds: number
  readonly runSeconds: number
  /** Seconds of the reference work. A machine that needs longer for it has more time for everything, in proportion. */
  readonly referenceSeconds: number
}

interface FileTime {
  readonly file: string
  readonly seconds: number
}

/** The exit codes of a process that a signal ended. */
const SIGNALS: Readonly<Record<number, string>> = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' }

/** How many files the report of the processor time names. A run of no more files has none. */
const NAMED_FILES = 10

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

/** Slowest first; without the files whose processor time is not recorded. */
const timesOf = (modules: readonly TestModule[]): readonly FileTime[] =>
  modules
    .flatMap((module) => {
      const seconds = module.meta().processorSeconds
      return seconds === undefined ? [] : [{ file: module.relativeModuleId, seconds }]
    })
    .toSorted((one, other) => other.seconds - one.seconds)

/** How many times slower than the budget's machine this one was, at least 1; the middle one of what each file found. */
export const slownessOf = (found: readonly number[], { referenceSeconds }: Budget): number => {
  const middle = found.toSorted((one, other) => one - other)[Math.floor(found.length / 2)] ?? 0
  return Math.max(1, middle / referenceSeconds)
}

const referencesOf = (modules: readonly TestModule[]): readonly number[] =>
  modules.flatMap((module) => {
    const { referenceSeconds } = module.meta()
    return referenceSeconds === undefined ? [] : [referenceSeconds]
  })

const timeReport = (times: readonly FileTime[], runSeconds: number): readonly string[] =>
  times.length <= NAMED_FILES
    ? []
    : [
        `Processor time: ${Math.round(runSeconds)} s. The slowest files:`,
        ...times.slice(0, NAMED_FILES).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
      ]

/** One line for each file, and one for the run, that took too much processor time. `slowness`: of the machine. */
export const overBudget = (times: readonly FileTime[], runSeconds: number, slowness: number, budget: Budget): readonly string[] => {
  const [ofFile, ofRun] = [budget.fileSeconds * slowness, budget.runSeconds * slowness]
  const here = slowness > 1 ? ` (${slowness.toFixed(1)} times what it would be on a quiet machine)` : ''
  return [
    ...times
      .filter(({ seconds }) => seconds > ofFile)
      .map(
        ({ file, seconds }) =>
          `OVER BUDGET: ${file} took ${seconds.toFixed(1)} s of processor time; at most ${ofFile.toFixed(1)} s${here}. Move what takes long to a *.long.test.ts.`,
      ),
    ...(runSeconds > ofRun
      ? [
          `OVER BUDGET: the run took ${Math.round(runSeconds)} s of processor time; at most ${Math.round(ofRun)} s${here}. Move the slowest tests to a *.long.test.ts.`,
        ]
      : []),
  ]
}

/** Prints at process exit, after all output of Vitest. A run without any test counts as failed, and so does each line of `overBudget`. */
export const plainSummaryReporter = (budget?: Budget): Reporter => {
  let counts: TestCounts = { passed: 0, failed: 0, skipped: 0 }
  let soFar: TestCounts = counts
  let times: readonly FileTime[] = []
  let references: readonly number[] = []
  let isComplete = false

  const lastLines = (code: number): readonly string[] => {
    const signal = isComplete ? undefined : SIGNALS[code]
    if (signal !== undefined) return [`Stopped by ${signal} before the end; so far ${soFar.passed} passed, ${soFar.failed} failed.`]
    const runSeconds = processorSeconds()
    const broken = budget === undefined ? [] : overBudget(times, runSeconds, slownessOf(references, budget), budget)
    if (code === 0 && (broken.length > 0 || counts.passed + counts.skipped === 0)) process.exitCode = 1
    const failed = process.exitCode === 0 || process.exitCode === undefined ? counts.failed : Math.max(counts.failed + broken.length, 1)
    return [
      ...timeReport(times, runSeconds),
      ...broken,
      ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
      `${counts.passed} passed, ${failed} failed`,
    ]
  }

  return {
    onInit: () => {
      process.once('exit', (code) => {
        process.exitCode = code
        process.stdout.write(`\n${lastLines(code).join('\n')}\n`)
      })
    },
    onTestCaseResult: (test) => {
      const { state } = test.result()
      if (state !== 'pending') soFar = { ...soFar, [state]: soFar[state] + 1 }
    },
    onTestRunEnd: (modules, unhandledErrors) => {
      isComplete = true
      counts = countTests(modules, unhandledErrors)
      times = timesOf(modules)
      references = referencesOf(modules)
    },
  }
}
