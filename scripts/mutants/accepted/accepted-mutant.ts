/**
 * Mutants that no test can kill. They are found by the line (trimmed) and the code that is replaced, so they survive edits elsewhere. A
 * pattern has to match the whole of either.
 */
export type AcceptedMutant = {
  /** Relative to packages/core/src. Absent: in every folder. */
  readonly file?: string
  /** Absent: in every line that has the code. */
  readonly line?: string | RegExp
  readonly code: string | RegExp
  readonly becomes: string | RegExp
  /** One short sentence. */
  readonly why: string
}
