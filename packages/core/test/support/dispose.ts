/** Disposes of proposals with options for this one call. */
import type { MemoryProposal, ReviewProposal } from '../../src/proposal/review-proposal.ts'
import { Disposal } from '../../src/review/apply/disposal.ts'
import type { DisposalOptions } from '../../src/review/apply/disposal-options.ts'
import * as dispose from '../../src/review/apply/dispose-proposal.ts'
import type { DisposedProposal } from '../../src/review/review-outcome.ts'
import { ok, type Result } from '../../src/shared/result.ts'

export const disposeProposal = (proposal: ReviewProposal, options: DisposalOptions): Promise<Result<DisposedProposal>> =>
  dispose.disposeProposal(proposal, new Disposal(options))

/** All proposals of a group have the same result: resolves to that of the first. */
export const disposeGroup = async (proposals: readonly MemoryProposal[], options: DisposalOptions): Promise<Result<DisposedProposal>> => {
  const disposed = await dispose.disposeGroup(proposals, new Disposal(options))
  return disposed.ok ? ok(disposed.value[0]) : disposed
}
