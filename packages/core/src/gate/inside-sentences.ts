/** Sentences that a skill may be made of, found by their words: what the user stated, or what the agent said before any text from outside came in. */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { contentWords, subjectWords } from './content-words.ts'
import { exchangesVerb } from './exchanged-verb.ts'
import { normaliseText } from './normalise-text.ts'
import { sameSense } from './polarity.ts'
import { wordsTogether } from './said-together.ts'
import { sentencesOf } from './sentences.ts'
import { SKILL_HEADINGS, SKILL_LAYOUT } from './skill-vocabulary.ts'
import { holdsToken } from './specific-tokens.ts'
import { type Sentence, statementsOf } from './statements.ts'
import { PLAIN } from './user-coverage.ts'

/** So many sentences that share the words of a clause are compared for their sense. */
const MOST_COMPARED = 6
/** So many that hold one word are looked at. */
const MOST_CANDIDATES = 200
/** So many addresses, commands and numbers are looked for; a text of more counts as unsaid. */
const MOST_TOKENS = 400

export interface InsideSentences {
  /** The sentence that carries a clause of `statement`; undefined where none does. */
  carrierOf(clause: string, statement: string, share: number): Sentence | undefined
  /** Does an address, a command or a number stand in one of the sentences? */
  holds(token: string): boolean
  readonly words: ReadonlySet<string>
}

/** Everything that was said, questions and reports too. */
export const sentencesOfMessage = (message: TranscriptMessage): readonly Sentence[] =>
  sentencesOf(message.text).map((text) => ({ message, text, normal: normaliseText(text), words: contentWords(text) }))

export const statementsOfUser = (transcript: Transcript): readonly Sentence[] =>
  transcript.filter(({ origin }) => origin === 'user').flatMap(statementsOf)

/**
 * Those that hold at least so many of the words, the fullest first. Such a sentence holds one of the rarest words for certain, so only those are looked up: a
 * skill and a conversation of the same few words must not cost their product.
 */
const sharing = (wanted: ReadonlySet<string>, least: number, index: ReadonlyMap<string, readonly Sentence[]>): readonly Sentence[] => {
  const rarest = [...wanted].map((word) => index.get(word) ?? []).sort((a, b) => a.length - b.length)
  const candidates = new Set(rarest.slice(0, wanted.size - least + 1).flatMap((sentences) => sentences.slice(0, MOST_CANDIDATES)))
  return [...candidates]
    .map((sentence) => ({ sentence, count: [...wanted].filter((word) => sentence.words.has(word)).length }))
    .filter(({ count }) => count >= least)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_COMPARED)
    .map(({ sentence }) => sentence)
}

const indexOf = (sentences: readonly Sentence[]): ReadonlyMap<string, readonly Sentence[]> => {
  const index = new Map<string, Sentence[]>()
  for (const sentence of sentences) {
    for (const word of sentence.words) {
      const known = index.get(word)
      if (known) known.push(sentence)
      else index.set(word, [sentence])
    }
  }
  return index
}

/** What a clause needs a source for. Undefined: nothing, it only lays the skill out. */
export const wantedOf = (clause: string): ReadonlySet<string> | undefined => {
  if (SKILL_HEADINGS.has(normaliseText(clause).replace(/[^\p{L}]+$/u, ''))) return undefined
  const wanted = new Set([...contentWords(clause)].filter((word) => !SKILL_LAYOUT.has(word)))
  return wanted.size === 0 ? undefined : wanted
}

/** It says so, and does not merely hold the words. */
const says = (sentence: Sentence, wanted: ReadonlySet<string>, clause: string): boolean => {
  const { text, words } = sentence
  const all = contentWords(clause)
  const held = [...wanted].filter((word) => words.has(word)).length
  return sameSense(clause, text) && wordsTogether(wanted, all, sentence).size === held && !exchangesVerb(all, [words])
}

/** `borrowed`: words of more trusted sentences, which may fill a gap as well. */
export const insideSentences = (sentences: readonly Sentence[], borrowed: ReadonlySet<string> = new Set()): InsideSentences => {
  const index = indexOf(sentences)
  const byText = new Map(sentences.map((sentence) => [sentence.normal, sentence]))
  const whole = sentences.map(({ normal }) => normal).join('\n')
  const known = new Map<string, boolean>()
  return {
    words: new Set(index.keys()),
    carrierOf: (clause, statement, share) => {
      const wanted = wantedOf(clause)
      // "Never:" alone would stand in any sentence that forbids anything.
      if (!wanted || ![...subjectWords(clause)].some((word) => wanted.has(word))) return undefined
      const same = clause === statement ? byText.get(normaliseText(clause)) : undefined
      if (same) return same
      // What the sentence lacks must be a word of his as well: one word exchanged makes another rule.
      if (![...wanted].every((word) => index.has(word) || borrowed.has(word))) return undefined
      return sharing(wanted, Math.ceil(Math.max(share, PLAIN) * wanted.size), index).find(
        (sentence) => says(sentence, wanted, clause) && (clause === statement || sameSense(statement, sentence.text)),
      )
    },
    holds: (token) => {
      const before = known.get(token)
      if (before !== undefined) return before
      const found = known.size < MOST_TOKENS && holdsToken(whole, token)
      known.set(token, found)
      return found
    },
  }
}
