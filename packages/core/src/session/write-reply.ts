/** How the agent's tools write: the score of their proposals, and what they are told of a write that did not happen; for memory and for skills. */
import type { DisposedGroup, DisposedProposal } from '../review/apply/dispose-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { MemoryWriteReply } from '../tools/memory-tool.ts'

export type NotWritten = Exclude<MemoryWriteReply, { readonly kind: 'applied' }>

/** The agent calls the tool on purpose, so its own doubt is no ground for a no: the evidence decides. */
export const AGENT_SCORE = 1

export const refused = ({ code, message, details }: HermesError): NotWritten => ({ kind: 'refused', code, message, details })

export const notWritten = (fate: Exclude<DisposedProposal | DisposedGroup, { readonly kind: 'applied' }>): NotWritten => {
  if (fate.kind === 'failed') return refused(fate.error)
  if (!fate.held) return { kind: 'refused', code: 'rejected', message: fate.reason }
  return { kind: 'held', reason: fate.reason, ...(fate.pendingId === undefined ? {} : { pendingId: fate.pendingId }) }
}
