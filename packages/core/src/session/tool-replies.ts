/** The replies of the agent's memory and skill tools to writes that did not happen. */
import type { DisposedProposal } from '../review/review-outcome.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { MemoryWriteReply } from '../tools/memory-reply.ts'

type NotWritten = Exclude<MemoryWriteReply, { readonly kind: 'applied' }>

/** Score of the agent's own proposals. It calls the tool on purpose, so only the evidence decides. */
export const AGENT_SCORE = 1

export const refused = ({ code, message, details }: HermesError): NotWritten => ({ kind: 'refused', code, message, details })

/** The reply of the agent's memory and skill tools to a write that did not happen. */
export const notWritten = (disposed: Exclude<DisposedProposal, { readonly kind: 'applied' }>): NotWritten => {
  if (disposed.kind === 'failed') return refused(disposed.error)
  if (disposed.kind === 'rejected') return { kind: 'refused', code: 'rejected', message: disposed.reason }
  return { kind: 'held', reason: disposed.reason, ...(disposed.pendingId === undefined ? {} : { pendingId: disposed.pendingId }) }
}
