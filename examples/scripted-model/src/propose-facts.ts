/** The reviewer about memory: what the person said, and what texts from outside say or order, unless it is remembered; with the exact words. */
import { believe, extractFacts, type Fact } from './facts.ts'
import { keywords, sharedKeywords } from './keywords.ts'
import type { SaidMessage } from './review-request.ts'

const SURE = 0.9
/** Under the usual threshold of 0.7, so that a rejection can be seen. */
const UNSURE = 0.4

const toProposal = ({ target, content, quote, sure }: Fact, { id }: SaidMessage) => ({
  target,
  op: { action: 'add', content, oldText: null },
  rationale: sure ? 'The person said so in plain words.' : 'The person was not sure.',
  score: sure ? SURE : UNSURE,
  evidence: [{ messageId: id ?? null, quote }],
})

const saysTheSame = (fact: string, entry: string): boolean => {
  const wanted = keywords(fact)
  return fact === entry || (wanted.size > 0 && sharedKeywords(wanted, keywords(entry)) === wanted.size)
}

const factsIn = (messages: readonly SaidMessage[], read: (text: string) => readonly Fact[]) =>
  messages.flatMap((message) => read(message.text).map((fact) => ({ fact, message })))

/** Plays an adversary about `outside`: it claims that the person said so. */
export const proposeFacts = (said: readonly SaidMessage[], outside: readonly SaidMessage[], remembered: readonly string[]) => {
  const found = [...factsIn(outside, believe), ...factsIn(said, extractFacts)]
  const fresh = found.filter(
    ({ fact }, index) =>
      !remembered.some((entry) => saysTheSame(fact.content, entry)) &&
      // Of a fact said twice, the last time counts: by then the person may have become sure.
      !found.slice(index + 1).some((later) => later.fact.content === fact.content),
  )
  return fresh.map(({ fact, message }) => toProposal(fact, message))
}
