/** The lines of JSON between the plugin of Stryker and the process that runs the tests. */

/** Some tests of one file, by their ids; without `tests`, all of it. `file` is an absolute path. */
export type WantedTests = { readonly file: string; readonly tests?: readonly string[] }

/** Runs the files in order until a test fails. With `mutant`, that mutant is active while tests run, and nothing is reported but the failure. */
export type RunRequest = {
  readonly files: readonly WantedTests[]
  readonly mutant?: string
  /** How often the mutant may be reached before its test counts as an endless loop. */
  readonly hitLimit?: number
  /** For tests that name no limit of their own. */
  readonly testTimeoutMs: number
}

export type RanTest = {
  readonly id: string
  readonly name: string
  readonly file: string
  /** Begins at 1. */
  readonly line: number
  /** Of processor time, so that a busy machine measures the same. */
  readonly ms: number
}

/** `id` is '' if something failed outside of a test. */
export type Failure = { readonly id: string; readonly message: string }

/** How often each mutant was reached, by its id. */
export type Hits = Record<string, number>

export type RunAnswer = {
  readonly tests: readonly RanTest[]
  readonly failure?: Failure
  /** The test that failed fails without the mutant as well: an earlier mutant has left something behind, so this answer says nothing. */
  readonly isDirty: boolean
  readonly hitCount: number
  /** Tests that take too long to be repeated for each mutant. */
  readonly slow?: readonly RanTest[]
  readonly coverage?: { readonly static: Hits; readonly perTest: Record<string, Hits> } | undefined
}

export const SOCKET_VARIABLE = 'HERMES_MUTANTS_SOCKET'

/** One line. A reader of lines would also end one at the separators that JSON leaves as they are. */
export const toLine = (message: RunRequest | RunAnswer): string =>
  `${JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
