/** The port through which the memory tool writes: the session puts gate, store and journal behind it. */
import type { MemoryOp, MemoryOpOutcome, MemoryTarget } from '../memory/memory-op.ts'
import type { ToolContext } from './tool-definition.ts'

export type MemoryWriteReply =
  | { readonly kind: 'applied'; readonly outcome: MemoryOpOutcome }
  /** Waits for a person or the host's code. */
  | { readonly kind: 'held'; readonly reason: string; readonly pendingId?: string }
  /** A gate or the store said no; `code` and `details` as in `HermesError`. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

export interface MemoryToolEffects {
  /** Contract: one operation is a single one; several are one all-or-nothing group. A failure is a reply; what it rejects with is told to the model as a failure. */
  readonly write: (target: MemoryTarget, ops: readonly MemoryOp[], context?: ToolContext) => Promise<MemoryWriteReply>
}
