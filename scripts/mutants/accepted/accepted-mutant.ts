/** A mutant that no test can kill. It is found by its line (trimmed) and the code that is replaced, so it survives edits elsewhere. */
export type AcceptedMutant = {
  /** Relative to packages/core/src. */
  readonly file: string
  /** Absent: every line that has the code. */
  readonly line?: string
  readonly code: string
  readonly becomes: string
  /** One short sentence. */
  readonly why: string
}
