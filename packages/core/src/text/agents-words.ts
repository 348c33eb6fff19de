/** Tells whose statement a paraphrase is: of the words that it shares with a conversation, who said more (DESIGN 5)? */
import { runAtOnce } from '../shared/steps.ts'
import { readSubjectWords } from './content-words.ts'
import { readWords, type Voices } from './foreign-names.ts'
import type { Said } from './normalise-text.ts'
import { sentencesOf } from './sentences.ts'
import { spend } from './work-limit.ts'

/** This many words of one sentence of the agent are no coincidence. */
const NO_COINCIDENCE = 2

type Sentences = readonly ReadonlySet<string>[]

// Cache: each message is compared with every proposal, and messages do not change.
const known = new WeakMap<Said, Sentences>()

/** Approximate number of characters read in one step. */
const STEP_CHARS = 4_000

/** Reads the content words of each sentence ahead of `isAgentsStatement`, in steps of a few sentences each. */
export function* readSentences(said: Said): Generator<void, Sentences> {
  const before = known.get(said)
  if (before) return before
  const sentences: ReadonlySet<string>[] = []
  let unread = 0
  for (const sentence of sentencesOf(said.text)) {
    sentences.push(readSubjectWords(sentence))
    unread += 20 + sentence.length
    if (unread < STEP_CHARS) continue
    unread = 0
    yield
  }
  known.set(said, sentences)
  return sentences
}

const sentenceWords = (said: Said): Sentences => runAtOnce(readSentences(said))

/**
 * True if one sentence of the agent has more of the statement's words that the speaker never used than the speaker used of them in all, or as many if these are
 * at least two. A paraphrase of the speaker shares more words with the speaker, or shares few with anybody.
 */
export const isAgentsStatement = (statement: string, { own, agent }: Voices): boolean => {
  if (agent.length === 0) return false
  const words = [...readSubjectWords(statement)]
  const isOwn = (word: string) => own.some((said) => sentenceWords(said).some((sentence) => sentence.has(word)))
  spend(60 * words.length * own.length)
  const others = words.filter((word) => !isOwn(word))
  const ofSpeaker = words.length - others.length
  return agent.some((said) =>
    sentenceWords(said).some((sentence) => {
      spend(60 * others.length)
      const ofAgent = others.filter((word) => sentence.has(word)).length
      return ofAgent > ofSpeaker || (ofAgent >= NO_COINCIDENCE && ofAgent >= ofSpeaker)
    }),
  )
}

const question = /[?？؟]["'”’»)\]]*\s*$/u

/**
 * True if all quotes are questions and hold fewer than half of the statement's words, or only its names and numbers: asking about a thing says nothing of it,
 * asking for one does.
 */
export const isOnlyAsked = (statement: string, quotes: readonly string[]): boolean => {
  if (!quotes.every((quote) => question.test(quote))) return false
  const asked = new Set(quotes.flatMap((quote) => [...readSubjectWords(quote)]))
  const words = [...readSubjectWords(statement)]
  const shared = words.filter((word) => asked.has(word))
  const names = quotes.map((text) => runAtOnce(readWords({ text }))).flatMap((read) => [...read.names, ...read.numbers])
  const named = readSubjectWords(names.join(' '))
  return 2 * shared.length < words.length || shared.every((word) => named.has(word))
}
