/**
 * The words of a text that carry its statement, in any language: what two texts are compared by. Deterministic, the same on every platform, so no
 * dictionary of the runtime is asked: scripts without spaces count as pairs of characters.
 */
import { NEGATIONS, negationOf, withPlainNegations } from './negations.ts'
import { normaliseText } from './normalise-text.ts'
import { STOP_WORDS } from './stop-words.ts'
import { remember, spend } from './work-limit.ts'

const STEM_LENGTH = 6

const word = /[\p{L}\p{M}\p{N}]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const accent = /(\p{Script=Latin})\p{Mn}+/gu

/** Sorting the marks of a longer word would take too long, and no word is longer. */
const MAX_WORD_CHARS = 200

const withoutAccents = (text: string): string =>
  text.length > MAX_WORD_CHARS ? text : text.normalize('NFD').replace(accent, '$1').normalize('NFC')

const withoutEnding = (text: string): string => {
  if (text.length >= 6 && text.endsWith('ing')) return text.slice(0, -3)
  if (text.length >= 5 && /(?:ies|ied)$/.test(text)) return `${text.slice(0, -3)}y`
  if (text.length >= 5 && text.endsWith('ed')) return text.slice(0, -2)
  if (text.length >= 4 && text.endsWith('s') && !text.endsWith('ss')) return text.slice(0, -1)
  return text
}

/** Cuts inflection off roughly: `answers` meets `answer`, `deployment` meets `deploys`. Anything with a digit stays whole. */
const stem = (text: string): string => {
  if (/\p{N}/u.test(text)) return text
  const cut = withoutEnding(text)
  const base = cut.length >= 4 && cut.endsWith('e') ? cut.slice(0, -1) : cut
  const stemmed = Array.from(base).slice(0, STEM_LENGTH).join('')
  // What is left of a word never negates: "note", "noted" and "notes" meet in "note", not in "not".
  return NEGATIONS.has(stemmed) ? `${stemmed}e` : stemmed
}

const pairs = (run: string): readonly string[] => {
  const characters = Array.from(run)
  return characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Content words of one token of a normalised text; a negation in its one form. */
export const wordsOfToken = (token: string): readonly string[] => {
  const spaced = token.replace(unspaced, ' ').split(' ')
  const whole = spaced.filter((part) => part !== '' && !STOP_WORDS.has(part)).map((part) => negationOf(part) ?? stem(withoutAccents(part)))
  return [...whole, ...[...token.matchAll(unspaced)].flatMap(([run]) => pairs(run))]
}

/** In the order of the text, repetitions included. */
export const contentSequence = remember('contentSequence', (text): readonly string[] => {
  const plain = normaliseText(text)
  spend(700 * plain.length)
  return (withPlainNegations(plain).match(word) ?? []).flatMap(wordsOfToken)
})

export const contentWords = remember('contentWords', (text): ReadonlySet<string> => new Set(contentSequence(text)))

/** What the text is about: its content words but for negations. */
export const subjectWords = remember(
  'subjectWords',
  (text): ReadonlySet<string> => new Set(contentSequence(text).filter((each) => !NEGATIONS.has(each))),
)
