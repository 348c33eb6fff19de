/** How the reviewer's budget is divided between the request itself, what is remembered, the skills, what waits, and the conversation. */

import { countUnits, UNITS_PER_TOKEN } from '../../model/token-estimate.ts'
import { DEFAULT_MAX_INPUT_TOKENS, MIN_INPUT_TOKENS } from '../review-limits.ts'
import { digestRequest } from './prompts/review-request.ts'
import type { ReviewKind } from './review-proposer.ts'

/** Kept free for the retry: the answer that could not be read, and why. */
export const RETRY_TOKENS = 600

/** Quarter tokens that each part may take at the most; the conversation has the rest. */
export interface InputShares {
  /** Of each of the two stores. */
  readonly store: number
  readonly waiting: number
  readonly skills: number
  /** Of what was said before. */
  readonly earlier: number
}

/** Estimated tokens of what was said before, where a review reads only what came after it. */
const EARLIER_TOKENS = 1_000

export const inputBudget = (maxInputTokens: number = DEFAULT_MAX_INPUT_TOKENS): number => Math.max(MIN_INPUT_TOKENS, maxInputTokens)

/** Where skills are reviewed the request itself is long, so only what it leaves is divided. */
export const inputShares = (maxInputTokens: number | undefined, kind: ReviewKind, maxProposals: number): InputShares => {
  const tokens = inputBudget(maxInputTokens)
  const units = tokens * UNITS_PER_TOKEN
  if (kind === 'memory') return { store: Math.floor(units / 5), waiting: Math.floor(units / 10), skills: 0, earlier: 0 }
  const frame = digestRequest('', { kind, remembered: '', library: '', waiting: '', maxProposals, now: 0, showsOutside: true })
  const free = Math.max(0, units - RETRY_TOKENS * UNITS_PER_TOKEN - countUnits(frame.system) - countUnits(frame.user))
  return {
    store: Math.floor(free / 10),
    waiting: Math.floor(free / 12),
    skills: Math.floor(free * 0.4),
    earlier: Math.min(EARLIER_TOKENS * UNITS_PER_TOKEN, Math.floor(free / 8)),
  }
}
