/** Plays the reviewer: answers from what the request holds, about memory, about skills, or about both. */
import { believe, extractFacts, type Fact } from './facts.ts'
import { proposeSkill } from './propose-skill.ts'
import { readReviewRequest, type SaidMessage } from './review-request.ts'
import { holdsKeywords } from './words.ts'

const SURE = 0.9
/** Under the usual threshold of 0.7, so that a rejection can be seen. */
const UNSURE = 0.4

/** What an entry is about: `User lives in`. */
const topicOf = (content: string): string => content.toLowerCase().split(' ').slice(0, 3).join(' ')

const isCorrection = ({ quote }: Fact): boolean => /^(?:no,? )?(?:actually|correction)\b/i.test(quote)

const corrects = (fact: Fact, content: string): boolean =>
  isCorrection(fact) && fact.content !== content && topicOf(fact.content) === topicOf(content)

const toProposal = (fact: Fact, { id }: SaidMessage, remembered: readonly string[]) => {
  const { target, content, quote, sure } = fact
  const outdated = remembered.find((entry) => corrects(fact, entry))
  return {
    target,
    op: outdated === undefined ? { action: 'add', content, oldText: null } : { action: 'replace', content, oldText: outdated },
    rationale: sure ? 'The person said so in plain words.' : 'The person was not sure.',
    score: sure ? SURE : UNSURE,
    evidence: [{ messageId: id ?? null, quote }],
  }
}

const saysTheSame = (fact: string, entry: string): boolean => fact === entry || holdsKeywords(entry, fact)

const factsIn = (messages: readonly SaidMessage[], read: (text: string) => readonly Fact[]) =>
  messages.flatMap((message) => read(message.text).map((fact) => ({ fact, message })))

/** Plays an adversary about `outside`: it claims that the person said so. */
const proposeFacts = (said: readonly SaidMessage[], outside: readonly SaidMessage[], remembered: readonly string[]) => {
  const found = [...factsIn(outside, believe), ...factsIn(said, extractFacts)]
  const fresh = found.filter(
    ({ fact }, index) =>
      !remembered.some((entry) => saysTheSame(fact.content, entry)) &&
      // Of a fact said twice, the last time counts: by then the person may have become sure, or corrected it.
      !found.slice(index + 1).some((later) => later.fact.content === fact.content || corrects(later.fact, fact.content)),
  )
  return fresh.map(({ fact, message }) => toProposal(fact, message, remembered))
}

/** `userTexts`: the user messages of the prompt, the request last. Answers with JSON text in the form that the request asks for. */
export const playReviewer = (userTexts: readonly string[]): string => {
  const { said, outside, sums, remembered, library } = readReviewRequest(userTexts)
  return JSON.stringify({
    proposals: [
      ...(remembered === undefined ? [] : proposeFacts(said, outside, remembered)),
      ...(library === undefined ? [] : proposeSkill(said, sums, library)),
    ],
  })
}
