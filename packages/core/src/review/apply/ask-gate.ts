/** Asks the gate about one proposal. If anything fails, the answer is never an approval. */
import { type GateContext, type ReviewGate, toVerdict, type Verdict } from '../../gate/review-gate.ts'
import type { MemorySource } from '../../memory/facts.ts'
import {
  byTarget,
  type EntryFacts,
  type EntryOrigin,
  type MemoryOp,
  type MemoryOpOutcome,
  type MemoryTarget,
  targetsOf,
} from '../../memory/memory-op.ts'
import type { MemoryWriter } from '../../memory/memory-store-options.ts'
import type { ProfileSchema } from '../../memory/profile-schema.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError, messageOf } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'

/** The part of a `MemoryStore` that a review writes to. */
export interface WritableMemory {
  /** The project of its store `project`. Default: none. */
  readonly project?: string | undefined
  /** The schema of its store `profile`. Default: none. */
  readonly profile?: ProfileSchema | undefined
  apply(
    target: MemoryTarget,
    op: MemoryOp | readonly MemoryOp[],
    source?: MemorySource,
    writer?: MemoryWriter,
  ): Promise<Result<MemoryOpOutcome>>
  /** The current entries; without it the gate sees none. */
  current?(target: MemoryTarget): Promise<Result<readonly string[]>>
  origins?(target: MemoryTarget): ReadonlyMap<string, EntryOrigin>
  /** Facts about the entries, pins included; without it no entry counts as pinned. */
  facts?(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>>
}

export const gateFailed = (cause: unknown): HermesError =>
  new HermesError('gate', `The gate failed, so nothing more was written: ${messageOf(cause)}`, { cause })

export const askGate = async (gate: ReviewGate, proposal: ReviewProposal, context: GateContext): Promise<Result<Verdict>> => {
  try {
    const answered = await gate(proposal, context)
    return answered.ok ? ok(toVerdict(answered.value)) : err(gateFailed(answered.error))
  } catch (cause) {
    return err(gateFailed(cause))
  }
}

/**
 * The current entries of a store. A file that cannot be read yields no entries and is reported to the gate: a write to that file is refused anyway, but one
 * to the other file or to a skill may repeat its contents.
 */
export const readEntries = async (
  store: WritableMemory,
): Promise<Pick<GateContext, 'entries' | 'unread'> & Required<Pick<GateContext, 'origins'>>> => {
  const read = new Map<MemoryTarget, readonly string[]>()
  let unread = false
  for (const target of targetsOf(store)) {
    const current = await store.current?.(target)
    if (current?.ok) read.set(target, current.value)
    else unread ||= current?.ok === false
  }
  const entries = byTarget(store, (target) => read.get(target) ?? [])
  const origins = byTarget(store, (target) => store.origins?.(target) ?? new Map<string, EntryOrigin>())
  return { entries, origins, ...(unread ? { unread } : {}) }
}
