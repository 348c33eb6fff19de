/** One question to the gate, with a context of this moment. Whatever goes wrong, the answer is never yes. */
import { type GateContext, toVerdict, type Verdict } from '../../gate/review-gate.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { type DisposeDeps, readGateContext } from './dispose-deps.ts'

const gateFailed = (cause: unknown): HermesError => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new HermesError('gate', `The gate failed, so nothing more was written: ${why}`, { cause })
}

/** The context of a proposal: the host's own, or the store's entries without a transcript. */
export const gateContext = async ({ context, store, actor }: DisposeDeps): Promise<Result<GateContext>> => {
  try {
    return ok(context ? await context() : await readGateContext(store, [], actor !== 'agent'))
  } catch (cause) {
    return err(gateFailed(cause))
  }
}

export const askGate = async (proposal: ReviewProposal, { gate }: DisposeDeps, context: GateContext): Promise<Result<Verdict>> => {
  try {
    const answered = await gate(proposal, context)
    return answered.ok ? ok(toVerdict(answered.value)) : err(gateFailed(answered.error))
  } catch (cause) {
    return err(gateFailed(cause))
  }
}
