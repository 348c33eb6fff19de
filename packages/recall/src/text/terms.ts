/** The terms of a text in any language: folded, without accents and inflection. The same on every platform, so the runtime's dictionaries are not used. */
import type { RecallItem } from '../recall-index.ts'
import { stem } from './stem.ts'

/** Greater whenever `termsOf` gives other terms for some text: every index is then made anew. */
export const TERMS_VERSION = 2

const MAX_TERM_CHARS = 64
const MAX_TERMS = 20_000

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts without spaces, and Hangul, whose words carry endings: split into pairs of characters. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** In these scripts marks are accents or vowel points, which people leave out; elsewhere they are letters. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{Mn}*)\p{Mn}/gu
const MARK = /\p{Mn}/u
const ASCII = /^\p{ASCII}*$/u
/** Sorting a longer row of marks takes too long. */
const LONG_MARKS = /(\p{M}{8})\p{M}+/gu

const fold = (text: string): string => {
  if (ASCII.test(text)) return text.toLowerCase()
  const apart = text.toWellFormed().replace(LONG_MARKS, '$1').normalize('NFKD')
  const plain = MARK.test(apart) ? apart.replace(ACCENTS, '') : apart
  return plain.normalize('NFKC').toLowerCase().normalize('NFKC')
}

const pairsOf = (run: string): readonly string[] => {
  const characters = Array.from(run)
  return characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

const bounded = (part: string): string =>
  part.length > MAX_TERM_CHARS ? part.slice(0, MAX_TERM_CHARS).toWellFormed().replaceAll('\ufffd', '') : stem(part)

const termsOfWord = (word: string): readonly string[] => {
  if (ASCII.test(word)) return [bounded(word)]
  const pairs = word.match(PAIRED)
  if (!pairs) return [bounded(word)]
  const spaced = word.replace(PAIRED, ' ').split(' ')
  return [...spaced.filter((part) => part !== '').map(bounded), ...pairs.flatMap(pairsOf)]
}

const MOST_REMEMBERED = 20_000
const remembered = new Map<string, readonly string[]>()

/** A long word does not come again, and would keep its memory. */
const termsOfKnownWord = (word: string): readonly string[] => {
  if (word.length > MAX_TERM_CHARS) return termsOfWord(word)
  const known = remembered.get(word)
  if (known) return known
  const terms = termsOfWord(word)
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(word, terms)
  return terms
}

/** In text order, with repetitions; at most 20,000. Each has 1 to 64 characters of letters, marks and digits. */
export const termsOf = (text: string): readonly string[] => {
  const terms: string[] = []
  for (const [word] of fold(text).matchAll(WORD)) {
    for (const term of termsOfKnownWord(word)) if (term !== '') terms.push(term)
    if (terms.length >= MAX_TERMS) return terms.slice(0, MAX_TERMS)
  }
  return terms
}

/** The terms of an item, as an index stores them. */
export const itemTerms = ({ kind, source, user, answer }: Pick<RecallItem, 'kind' | 'source' | 'user' | 'answer'>): readonly string[] => {
  const title = kind === 'turn' ? [] : termsOf(source)
  return [...title, ...termsOf(user), ...termsOf(answer)].slice(0, MAX_TERMS)
}
