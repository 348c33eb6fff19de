/** What a tool is told of a write that did not happen: the same for memory and for skills. */
import type { DisposedGroup, DisposedProposal } from '../review/dispose-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { MemoryWriteReply } from '../tools/memory-tool-effects.ts'

export type NotWritten = Exclude<MemoryWriteReply, { readonly kind: 'applied' }>

/** A storage that hangs must not hang the agent. Longer than a lock is waited for. */
export const TOOL_LIMIT_MS = 30_000

export const refused = ({ code, message, details }: HermesError): NotWritten => ({ kind: 'refused', code, message, details })

export const notWritten = (fate: Exclude<DisposedProposal | DisposedGroup, { readonly kind: 'applied' }>): NotWritten => {
  if (fate.kind === 'failed') return refused(fate.error)
  if (!fate.held) return { kind: 'refused', code: 'rejected', message: fate.reason }
  return { kind: 'held', reason: fate.reason, ...(fate.pendingId === undefined ? {} : { pendingId: fate.pendingId }) }
}
