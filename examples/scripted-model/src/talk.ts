/** Answers questions from what is known and said, and says something friendly if there is nothing to do. */
import { extractFacts } from './facts.ts'
import type { KnownEntry } from './prompt-blocks.ts'
import type { ReadPrompt } from './scene.ts'
import { closest } from './words.ts'

export const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text) || /^(?:what|where|who|which|when|how|why|do you|did i|am i|do i)\b/i.test(text)

const listed = (entries: readonly KnownEntry[]): string => entries.map((entry) => `- ${entry.text}`).join('\n')

/** `said`: the person's earlier messages of this chat, oldest first. */
export const answerQuestion = (question: string, { known, said, recalled }: Pick<ReadPrompt, 'known' | 'said' | 'recalled'>): string => {
  if (/\b(?:know|remember(?:ed)?|learned|learnt) about me\b|\bwho am i\b/i.test(question)) {
    const about = known.filter((entry) => entry.target === 'user')
    return about.length === 0 ? 'Nothing yet. Tell me something about you.' : `This is what I know about you:\n${listed(about)}`
  }
  if (/\bwhat (?:do|did|have) you (?:know|remember|remembered|learn|learned)\W*$/i.test(question)) {
    return known.length === 0 ? 'Nothing yet. Tell me something worth keeping.' : `This is what I remember:\n${listed(known)}`
  }
  if (/\b(?:what can you do|who are you|what are you)\b/i.test(question)) {
    return 'I am a scripted stand-in for a model. I keep facts you tell me, and answer what I remember. Try "remember that I live in Oslo".'
  }
  const matches = closest(question, known, (entry) => entry.text)
  if (matches.length === 1) return `I remember: ${matches[0]?.text}.`
  if (matches.length > 1) return `I remember:\n${listed(matches.slice(0, 5))}`
  const told = [
    ...recalled.map((text) => ({ text, from: 'From an earlier conversation' })),
    ...said.filter((text) => !isQuestion(text)).map((text) => ({ text, from: 'You said earlier in this chat' })),
  ]
  const earlier = closest(question, told, ({ text }) => text).at(-1)
  if (earlier !== undefined) return `${earlier.from}: "${earlier.text}"`
  return 'I do not know that yet. Tell me, and say "remember that ..." to be sure.'
}

const REPLIES = [
  'I am only a scripted stand-in, but I am listening. Tell me a fact, or ask what I know about you.',
  'Understood. Say "remember that ..." and I will write it down.',
  'All right. A real model would have more to say here.',
  'Good to know. Ask me something whenever you like.',
]

const nameIn = (texts: readonly string[]): string | undefined =>
  texts.flatMap((text) => /^User's name is (.+?)(?:,| and .*)?$/.exec(text)?.[1] ?? []).at(-1)

const factsIn = (texts: readonly string[]): readonly string[] => texts.flatMap(extractFacts).map(({ content }) => content)

/** `said`: what the person has sent, this message included. */
export const smallTalk = (text: string, { known, said }: Pick<ReadPrompt, 'known' | 'said'>): string => {
  const knownName = nameIn(known.map((entry) => entry.text))
  const name = nameIn(factsIn(said)) ?? knownName
  if (/^(?:hi|hello|hey|good (?:morning|evening|afternoon))\b/i.test(text)) {
    if (name === undefined) return 'Hello! Nice to meet you. What should I call you?'
    return name === knownName ? `Hello ${name}! Good to see you again.` : `Hello ${name}! What can I do for you?`
  }
  if (/^(?:thanks|thank you|cheers)\b/i.test(text)) return 'You are welcome.'
  if (/^(?:bye|goodbye|see you)\b/i.test(text)) return 'Goodbye! Type /quit to leave.'
  const newName = nameIn(factsIn([text]))
  if (newName !== undefined && newName !== knownName) return `Nice to meet you, ${newName}.`
  const fact = extractFacts(text)[0]
  if (fact !== undefined) return fact.sure ? 'Thanks for telling me.' : 'Maybe, maybe not. Tell me when you are sure.'
  return REPLIES[(said.length - 1) % REPLIES.length] ?? ''
}
