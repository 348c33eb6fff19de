/** One valid proposal through gate, store and journal: the shared path of the reviewer and of the agent's own tool call. */
import type { AppliedProposal, FailedProposal, RejectedProposal } from './review-outcome.ts'

export type DisposedProposal =
  | ({ readonly kind: 'applied' } & AppliedProposal)
  | ({ readonly kind: 'rejected' } & RejectedProposal)
  | ({ readonly kind: 'failed' } & FailedProposal)
