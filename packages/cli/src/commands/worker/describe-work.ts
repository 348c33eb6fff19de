/** One line about a review of a worker. */
import type { HermesEvent } from '@hermes/core'
import type { WorkedReview, WorkOutcome } from '@hermes/core/queue'
import { counted } from '../../terminal/gauge.ts'

const REASONS = {
  active: 'the home is not idle yet',
  busy: 'another review of the home is running',
  stopped: 'stopped',
  budget: 'learning has used its share of tokens',
  'tokens-per-day': 'learning has used its tokens of today',
  breaker: 'the last reviews failed',
} as const

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19).concat('Z')

type Reviewed = Extract<WorkOutcome, { readonly kind: 'reviewed' }>['outcome']

const describeReviewed = ({ applied, held, rejected }: Reviewed): string =>
  `${applied.length} written, ${held.length} waiting, ${rejected.length} rejected`

const describeOutcome = (outcome: WorkOutcome): string => {
  switch (outcome.kind) {
    case 'reviewed':
      return `read ${counted(outcome.turns, 'turn')}: ${describeReviewed(outcome.outcome)}`
    case 'postponed':
      return `postponed until ${timeOf(outcome.until)}: ${REASONS[outcome.reason]}`
    case 'failed':
      return `failed, again at ${timeOf(outcome.until)}: ${outcome.error.message}`
    case 'erased':
      return 'the owner has no home any more'
    default:
      return 'nothing left to read'
  }
}

const nameOf = (owner: WorkedReview['owner']): string =>
  owner === undefined ? 'home' : owner.tenant === undefined ? owner.user : `${owner.tenant}/${owner.user}`

const tokensOf = (cost: WorkedReview['cost']): string =>
  cost === undefined ? '' : ` (${counted(cost.inputTokens + cost.outputTokens, 'token')})`

/** Owner, kind, outcome, tokens. */
export const describeWork = ({ owner, kind, outcome, cost }: WorkedReview): string =>
  `${nameOf(owner)} · ${kind} · ${describeOutcome(outcome)}${tokensOf(cost)}`

/** The same of a review that upkeep ran; undefined for any other event. */
export const describeReview = (event: HermesEvent): string | undefined => {
  if (event.type === 'review-finished') return `${nameOf(event.owner)} · ${describeReviewed(event.outcome)}${tokensOf(event.cost)}`
  return event.type === 'review-failed' ? `${nameOf(event.owner)} · failed: ${event.error.message}${tokensOf(event.cost)}` : undefined
}
