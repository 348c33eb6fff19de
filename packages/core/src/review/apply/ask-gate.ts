/** Asks the gate about one proposal, with the current context. If anything fails, the answer is never an approval. */
import { type GateContext, toVerdict, type Verdict } from '../../gate/review-gate.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { DisposeDeps, WritableStore } from './dispose-deps.ts'

const gateFailed = (cause: unknown): HermesError => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new HermesError('gate', `The gate failed, so nothing more was written: ${why}`, { cause })
}

/**
 * The current entries of a store. A file that cannot be read yields no entries and is reported to the gate: a write to that file is refused anyway, but one
 * to the other file or to a skill may repeat its contents.
 */
export const readEntries = async (
  store: WritableStore,
): Promise<Pick<GateContext, 'entries' | 'unread'> & Required<Pick<GateContext, 'origins'>>> => {
  const memory = await store.current?.('memory')
  const user = await store.current?.('user')
  const entries = { memory: memory?.ok ? memory.value : [], user: user?.ok ? user.value : [] }
  const unread = memory?.ok === false || user?.ok === false
  const origins = { memory: store.origins?.('memory') ?? new Map(), user: store.origins?.('user') ?? new Map() }
  return { entries, origins, ...(unread ? { unread } : {}) }
}

/** The context of a proposal, from the caller's context and the store. */
export const gateContext = async ({
  context,
  store,
  actor,
}: Pick<DisposeDeps, 'context' | 'store' | 'actor'>): Promise<Result<GateContext>> => {
  try {
    const shown = await context?.()
    const known = shown?.entries ? { entries: shown.entries } : await readEntries(store)
    return ok({ transcript: [], unattended: actor !== 'agent', ...known, ...shown })
  } catch (cause) {
    return err(gateFailed(cause))
  }
}

export const askGate = async (
  proposal: ReviewProposal,
  { gate }: Pick<DisposeDeps, 'gate'>,
  context: GateContext,
): Promise<Result<Verdict>> => {
  try {
    const answered = await gate(proposal, context)
    return answered.ok ? ok(toVerdict(answered.value)) : err(gateFailed(answered.error))
  } catch (cause) {
    return err(gateFailed(cause))
  }
}
