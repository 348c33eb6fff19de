/** One line about a review that a worker has dealt with. */
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

const describeOutcome = (outcome: WorkOutcome): string => {
  switch (outcome.kind) {
    case 'reviewed': {
      const { applied, rejected } = outcome.outcome
      const held = rejected.filter((each) => each.held).length
      return `read ${counted(outcome.turns, 'turn')}: ${applied.length} written, ${held} waiting, ${rejected.length - held} rejected`
    }
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

/** Owner, kind, outcome, tokens. */
export const describeWork = ({ owner, kind, outcome, cost }: WorkedReview): string => {
  const whom = owner === undefined ? 'home' : owner.tenant === undefined ? owner.user : `${owner.tenant}/${owner.user}`
  const tokens = cost === undefined ? '' : ` (${counted(cost.inputTokens + cost.outputTokens, 'token')})`
  return `${whom} · ${kind} · ${describeOutcome(outcome)}${tokens}`
}
