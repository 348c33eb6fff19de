import type { AcceptedMutant } from './accepted-mutant.ts'

const DECIDE_REVIEW = { file: 'nudge/decide-review.ts', becomes: 'true', why: 'a comparison with undefined is false' }

export const NUDGE: readonly AcceptedMutant[] = [
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
  {
    file: 'nudge/review-state.ts',
    line: /return known\.length < MAX_SESSIONS \? .*/,
    code: 'known.length < MAX_SESSIONS',
    becomes: 'false',
    why: 'sorts what is then kept whole, and nothing depends on the order of sessions',
  },
]
