/** A gate for decisions that are made again if others have written meanwhile. */
import type { GateContext, ReviewGate } from '../../gate/review-gate.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'

const plain = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value)

/** The transcript is always the same one. */
const questionOf = (proposal: ReviewProposal, { transcript: _, ...context }: Partial<GateContext> = {}): string =>
  JSON.stringify([proposal, context], plain)

/** Asks again only if the proposal or what is known of the stores differs, or if the gate failed. For one transcript: a host's gate may call a model. */
export const askedOnce = (gate: ReviewGate): ReviewGate => {
  const answers = new Map<string, Awaited<ReturnType<ReviewGate>>>()
  return async (proposal, context) => {
    const question = questionOf(proposal, context)
    const answer = answers.get(question) ?? (await gate(proposal, context))
    if (answer.ok) answers.set(question, answer)
    return answer
  }
}
