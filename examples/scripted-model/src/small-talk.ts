/** Short, friendly and always the same for the same chat: what the stand-in says when there is nothing to do. */
import { extractFacts } from './facts.ts'
import type { KnownEntry } from './memory-block.ts'

const REPLIES = [
  'I am only a scripted stand-in, but I am listening. Tell me a fact, or ask what I know about you.',
  'Understood. Say "remember that ..." and I will write it down.',
  'All right. A real model would have more to say here.',
  'Good to know. Ask me something whenever you like.',
]

const nameOf = (known: readonly KnownEntry[]): string | undefined =>
  known.flatMap((entry) => /^User's name is (.+)$/.exec(entry.text)?.[1] ?? []).at(0)

/** `turn`: how many messages the person has sent, this one included. */
export const smallTalk = (text: string, known: readonly KnownEntry[], turn: number): string => {
  const name = nameOf(known)
  if (/^(?:hi|hello|hey|good (?:morning|evening|afternoon))\b/i.test(text)) {
    return name === undefined ? 'Hello! Nice to meet you. What should I call you?' : `Hello ${name}! Good to see you again.`
  }
  if (/^(?:thanks|thank you|cheers)\b/i.test(text)) return 'You are welcome.'
  if (/^(?:bye|goodbye|see you)\b/i.test(text)) return 'Goodbye! Type /quit to leave.'
  const fact = extractFacts(text)[0]
  if (fact !== undefined) return fact.sure ? 'Thanks for telling me.' : 'Maybe, maybe not. Tell me when you are sure.'
  return REPLIES[(turn - 1) % REPLIES.length] ?? ''
}
