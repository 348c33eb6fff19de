/** A mutant that no test can kill. It is found by its line (trimmed) and the code that is replaced, so it survives edits elsewhere. */
export type AcceptedMutant = {
  /** Relative to packages/core/src. */
  readonly file: string
  readonly line: string
  readonly code: string
  readonly becomes: string
  readonly why: string
}

const DECIDE_REVIEW = { file: 'nudge/decide-review.ts', becomes: 'true', why: 'a comparison with undefined is false' }

export const ACCEPTED: readonly AcceptedMutant[] = [
  { ...DECIDE_REVIEW, line: 'until !== undefined && at < until && until - at <= 2 * PAUSE_MS', code: 'until !== undefined' },
  {
    ...DECIDE_REVIEW,
    line: "if (maxTokensPerDay !== undefined && spent > 0 && spent + state.lastCost > maxTokensPerDay) return 'tokens-per-day'",
    code: 'maxTokensPerDay !== undefined',
  },
  {
    ...DECIDE_REVIEW,
    line: 'if (budget === undefined || intervalsDue > MAX_WAITED) return undefined',
    code: 'budget === undefined',
    becomes: 'false',
  },
  { ...DECIDE_REVIEW, line: 'const isIdle = before !== undefined && at - before >= IDLE_AFTER_MS', code: 'before !== undefined' },
]
