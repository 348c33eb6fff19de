/** What became of the proposals of reviews, a line each. */
import type { ReviewOutcome, ReviewProposal } from '@hermes/core'
import type { Field } from '../terminal/field-list.ts'
import { summariseOp } from './journal/describe-op.ts'

const isProposal = (raw: unknown): raw is ReviewProposal => typeof raw === 'object' && raw !== null && 'op' in raw && 'target' in raw

const what = (proposal: unknown, place: { readonly project?: string } = {}): string =>
  isProposal(proposal) ? summariseOp(proposal.op, { target: proposal.target, ...place }) : 'an invalid proposal'

/** Proposals that were written together share one outcome. */
export const evictedBy = (applied: ReviewOutcome['applied']): readonly string[] => [
  ...new Set(applied.flatMap(({ outcome }) => (outcome.target === 'skill' ? [] : (outcome.evicted ?? []).map(({ text }) => text)))),
]

export const outcomeFields = ({ applied, held, rejected, failed }: ReviewOutcome): readonly Field[] => [
  ...applied.map(({ proposal, outcome }): Field => ['written', what(proposal, outcome.target === 'project' ? outcome : {})]),
  ...evictedBy(applied).map((text): Field => ['made room', text]),
  ...held.map(({ proposal, reason }): Field => ['waiting', `${what(proposal)} · ${reason}`]),
  ...rejected.map(({ proposal, reason }): Field => ['rejected', `${what(proposal)} · ${reason}`]),
  ...failed.map(({ proposal, error }): Field => ['failed', `${what(proposal)} · ${error.message}`]),
]

/** Of several reviews, in order. */
export const joinedOutcome = (outcomes: readonly ReviewOutcome[]): ReviewOutcome => ({
  applied: outcomes.flatMap(({ applied }) => applied),
  held: outcomes.flatMap(({ held }) => held),
  rejected: outcomes.flatMap(({ rejected }) => rejected),
  failed: outcomes.flatMap(({ failed }) => failed),
})
