/** Divides the reviewer's token budget between the request itself, remembered entries, skills, pending proposals and the conversation. */

import { countUnits, UNITS_PER_TOKEN } from '../../model/token-estimate.ts'
import { DEFAULT_MAX_INPUT_TOKENS, MIN_INPUT_TOKENS } from '../review-limits.ts'
import { digestRequest } from './prompts/review-request.ts'
import { RequestDates } from './request-dates.ts'
import type { ReviewKind } from './review-proposer.ts'

/** Reserved for the retry, which repeats the unreadable answer and the error. */
export const RETRY_TOKENS = 600

/** Maximum units (quarter tokens) of each part; the conversation gets the rest. */
export interface InputShares {
  /** For each of the stores. */
  readonly store: number
  readonly waiting: number
  readonly skills: number
  /** For what was said before the reviewed turns. */
  readonly earlier: number
}

/** Estimated tokens for what was said before the reviewed turns. */
const EARLIER_TOKENS = 1_000

export const inputBudget = (maxInputTokens: number = DEFAULT_MAX_INPUT_TOKENS): number => Math.max(MIN_INPUT_TOKENS, maxInputTokens)

/** With skills the request itself is long, so only what remains of the budget is divided. */
export const inputShares = (maxInputTokens: number | undefined, kind: ReviewKind, maxProposals: number, stores = 2): InputShares => {
  const tokens = inputBudget(maxInputTokens)
  const units = tokens * UNITS_PER_TOKEN
  if (kind === 'memory') return { store: Math.floor((units * 2) / 5 / stores), waiting: Math.floor(units / 10), skills: 0, earlier: 0 }
  // Any day takes as much room, and few zones have a longer name.
  const dates = new RequestDates(0, 'America/Argentina/Buenos_Aires')
  const frame = digestRequest('', { kind, remembered: '', library: '', waiting: '', maxProposals, dates, showsOutside: true })
  const free = Math.max(0, units - RETRY_TOKENS * UNITS_PER_TOKEN - countUnits(frame.system) - countUnits(frame.user))
  return {
    store: Math.floor(free / 5 / stores),
    waiting: Math.floor(free / 12),
    skills: Math.floor(free * 0.4),
    earlier: Math.min(EARLIER_TOKENS * UNITS_PER_TOKEN, Math.floor(free / 8)),
  }
}
