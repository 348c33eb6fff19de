/** What a review of the own words made of memory, in a line each, as the pass after it is told. */
import type { MemoryOp } from '../../memory/memory-op.ts'
import { reviewProposalSchema } from '../../proposal/review-proposal.ts'
import type { ReviewOutcome } from '../review-outcome.ts'

const describeOp = (op: MemoryOp): string => {
  if (op.action === 'add') return op.content
  return op.action === 'remove' ? `(removed) ${op.oldText}` : `${op.content} (instead of: ${op.oldText})`
}

const memoryOpOf = (proposal: unknown): MemoryOp | undefined => {
  const parsed = reviewProposalSchema.safeParse(proposal)
  return parsed.success && parsed.data.target !== 'skill' ? parsed.data.op : undefined
}

/** What was written and what waits for a person; what was rejected is not repeated. */
export const describeOutcome = ({ applied, rejected }: ReviewOutcome): readonly string[] => {
  const kept = [...applied, ...rejected.filter(({ held }) => held)]
  return kept.flatMap(({ proposal }) => memoryOpOf(proposal) ?? []).map(describeOp)
}
