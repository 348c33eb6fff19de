/** Answers a question from the entries in the system prompt, then from what was said earlier in the chat. */
import { keywords, sharedKeywords } from './keywords.ts'
import type { KnownEntry } from './memory-block.ts'

export const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text) || /^(?:what|where|who|which|when|how|why|do you|did i|am i|do i)\b/i.test(text)

const listed = (entries: readonly KnownEntry[]): string => entries.map((entry) => `- ${entry.text}`).join('\n')

const bestMatches = <T>(question: string, items: readonly T[], toText: (item: T) => string): readonly T[] => {
  const wanted = keywords(question)
  const scored = items.map((item) => ({ item, score: sharedKeywords(wanted, keywords(toText(item))) }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ item }) => item)
}

/** `said`: the person's earlier messages of this chat, oldest first. */
export const answerQuestion = (question: string, known: readonly KnownEntry[], said: readonly string[]): string => {
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
  const matches = bestMatches(question, known, (entry) => entry.text)
  if (matches.length === 1) return `I remember: ${matches[0]?.text}.`
  if (matches.length > 1) return `I remember:\n${listed(matches.slice(0, 5))}`
  const earlier = bestMatches(
    question,
    said.filter((text) => !isQuestion(text)),
    (text) => text,
  ).at(-1)
  if (earlier !== undefined) return `You said earlier in this chat: "${earlier}"`
  return 'I do not know that yet. Tell me, and say "remember that ..." to be sure.'
}
