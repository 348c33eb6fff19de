/**
 * Finds the names and numbers of a statement that its speaker never wrote (DESIGN 5). A name is recognised by how it is written, in any language: an address,
 * path or command; text in quotes; a capitalised word inside a sentence; another script than the rest of the sentence; katakana; or a word that the agent
 * wrote like that. Other words are not compared, since a paraphrase is free to choose them.
 */

import { foldVisible } from '../shared/fold-text.ts'
import { runAtOnce } from '../shared/steps.ts'
import { normaliseText, type Said } from './normalise-text.ts'
import { sentencesOf } from './sentences.ts'
import { holdsToken, specificTokens } from './specific-tokens.ts'
import { spend } from './work-limit.ts'

/** A word in one script, since the scripts of East Asia have no spaces around a foreign name. One group for each script with capitals, and one for katakana. */
const word =
  /(\p{Script=Latin}[\p{Script=Latin}\p{M}\p{Nd}]*)|(\p{Script=Cyrillic}[\p{Script=Cyrillic}\p{M}\p{Nd}]*)|(\p{Script=Greek}[\p{Script=Greek}\p{M}\p{Nd}]*)|([\p{Script=Katakana}ー]+)|\p{Script=Han}+|\p{Script=Hiragana}+|\p{L}[\p{L}\p{M}]*/gu
type Script = 'latin' | 'cyrillic' | 'greek' | 'katakana' | 'other'
const UNCASED: ReadonlySet<Script> = new Set(['katakana', 'other'])
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]/u
/** Between a dense script and what is typed without a space beside it, such as an address. */
const seam = new RegExp(`(?<=${dense.source})(?=[!-~])|(?<=[!-~])(?=${dense.source})`, 'gu')
/** Straight marks count only around whole words: one inside a word is an apostrophe. */
const quoted = /[“„«「『]\s?([^“”„«»「」『』]{2,60}?)\s?[”“»」』]|(?<![\p{L}\p{N}])["'‘]([^"'‘’]{2,60})["'’](?![\p{L}\p{N}])/gu
const codeWord = /`([\p{L}\p{N}_.-]+)`/gu
/** A separator of thousands. */
const thousands = /(?<=\p{Nd})[.,' \u202f](?=\p{Nd}{3}(?!\p{Nd}))/gu

interface Word {
  readonly text: string
  readonly normal: string
  readonly script: Script
  /** Capitalised, and not the first word of its sentence. */
  readonly isName: boolean
}

const capital = /^\p{Lu}/u
const start = /[\p{L}\p{N}]/u

/** The words of a sentence that was folded. */
const wordsOf = (sentence: string): readonly Word[] => {
  spend(400 * sentence.length)
  const first = sentence.search(start)
  return [...sentence.matchAll(word)].map(({ 0: text, 1: latin, 2: cyrillic, 3: greek, 4: katakana, index }) => {
    const script = latin ? 'latin' : cyrillic ? 'cyrillic' : greek ? 'greek' : katakana ? 'katakana' : 'other'
    const isName = index > first && text.length > 1 && !UNCASED.has(script) && capital.test(text)
    return { text, normal: text.toLowerCase(), script, isName }
  })
}

/** The form that is compared, with its capitals, and a space at each seam. */
const fold = (text: string): string => foldVisible(text).replace(seam, ' ')

const numbersOf = (normal: string): readonly string[] =>
  (normal.replace(thousands, '').match(/\p{Nd}+/gu) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, ''))

/** The digits of Chinese and Japanese from one to nine; two forms of two. */
const HAN_DIGITS = new Map([...'一二三四五六七八九'].map((digit, index) => [digit, String(index + 1)] as const))
  .set('两', '2')
  .set('兩', '2')

const hanDigitsOf = (normal: string): readonly string[] => [...normal].flatMap((character) => HAN_DIGITS.get(character) ?? [])

/** First letters of neighbouring words, as in an abbreviation: `pr` for a pull request. Two or three of them. */
const initialsOf = (words: readonly Word[]): readonly string[] => {
  const letters = words.map(({ normal: [first = ''] }) => first)
  return letters.flatMap((_, at) => [letters.slice(at, at + 2).join(''), letters.slice(at, at + 3).join('')])
}

interface ReadText {
  /** Normalised, with a space at each seam. */
  readonly normal: string
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  /** Words written as names, if capitals mark names. */
  readonly names: ReadonlySet<string>
  /** Single words in code spans. */
  readonly code: ReadonlySet<string>
  /** Words inside sentences, in a script with capitals. */
  readonly inner: number
}

/** Approximate number of characters read in one step. */
const STEP_CHARS = 4_000

// Cache: each message is compared with every proposal, and messages do not change.
const known = new WeakMap<Said, ReadText>()

/** Reads a text ahead of `foreignNames`, in steps of a few sentences each. */
export function* readWords(said: Said): Generator<void, ReadText> {
  const before = known.get(said)
  if (before) return before
  const folded = fold(said.text)
  const [words, names] = [new Set<string>(), new Set<string>()]
  let [inner, unread] = [0, 0]
  for (const sentence of sentencesOf(folded)) {
    const found = wordsOf(sentence)
    for (const initials of initialsOf(found)) words.add(initials)
    for (const { normal, script, isName } of found) {
      words.add(normal)
      if (isName) names.add(normal)
      if (!UNCASED.has(script)) inner++
    }
    unread += 20 + sentence.length
    if (unread < STEP_CHARS) continue
    unread = 0
    yield
  }
  const normal = normaliseText(folded)
  const code = new Set([...folded.matchAll(codeWord)].map(([, span = '']) => span.toLowerCase()))
  const text = { normal, words, names, code, numbers: new Set([...numbersOf(normal), ...hanDigitsOf(normal)]), inner }
  known.set(said, text)
  return text
}

const readWhole = (said: Said): ReadText => runAtOnce(readWords(said))

/** Above this share, capitals mark nouns, as in German, and say nothing about names; a short conversation may have one more: without it 1 of 12,972 attacks was raised (`bench poisoning channels`), with it
 * none, and honest entries lose nothing (`names`). */
const MOST_NAMES = 0.12
const NAMES_OF_ANY = 1
const FEWEST_WORDS = 12

const capitalsMarkNames = (texts: readonly ReadText[]): boolean => {
  const inner = texts.reduce((sum, text) => sum + text.inner, 0)
  const names = texts.reduce((sum, text) => sum + text.names.size, 0)
  return inner < FEWEST_WORDS || names <= NAMES_OF_ANY + MOST_NAMES * inner
}

/** True for two forms of one word: the same beginning, and short endings. */
const isInflected = (one: string, other: string): boolean => {
  const longest = Math.max(one.length, other.length)
  let same = 0
  while (same < longest && one[same] === other[same]) same++
  return same >= 3 && same >= 0.6 * longest && longest - same <= 3
}

const holdsSome = (words: ReadonlySet<string>, holds: (word: string) => boolean): boolean => {
  spend(40 * words.size)
  for (const each of words) if (holds(each)) return true
  return false
}

const standsIn = ({ normal, script }: Word, own: readonly ReadText[]): boolean => {
  if (own.some(({ words }) => words.has(normal))) return true
  if (!UNCASED.has(script)) return normal.length > 3 && own.some(({ words }) => holdsSome(words, (each) => isInflected(normal, each)))
  // Without spaces, a part of a longer run is the same word, and so are two of them together.
  return own.some((each) => {
    spend(each.normal.length)
    if (each.normal.includes(normal)) return true
    let rest = normal
    return holdsSome(each.words, (part) => {
      if (part.length > 1) rest = rest.replaceAll(part, '')
      return rest === ''
    })
  })
}

/** An address, a path or a file name. */
const compound = /[\p{L}\p{N}][@/.\\]\S/u

/** The script of most of a sentence apart from addresses; characters of dense scripts count three times. */
const mainScript = (sentence: string): Script | undefined => {
  const plain = sentence.split(/\s+/).filter((part) => !compound.test(part))
  const sizes = new Map<Script, number>()
  for (const { text, script } of wordsOf(plain.join(' ')))
    sizes.set(script, (sizes.get(script) ?? 0) + text.length * (UNCASED.has(script) && dense.test(text) ? 3 : 1))
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0]
}

export interface Voices {
  /** What the speaker wrote. */
  readonly own: readonly Said[]
  /** What the agent wrote in the same conversation. */
  readonly agent: readonly Said[]
}

/** The names and numbers of `statement`, normalised, that are nowhere in the speaker's own texts. */
export const foreignNames = (statement: string, voices: Voices): readonly string[] => {
  const own = voices.own.map(readWhole)
  const agent = voices.agent.map(readWhole)
  const marksNames = capitalsMarkNames([...own, ...agent])
  const isNamed = ({ normal }: Word) => agent.some(({ names, code }) => code.has(normal) || (marksNames && names.has(normal)))
  const folded = fold(statement)
  const tokens = [...specificTokens(folded).strong].filter((token) => !own.some(({ normal }) => holdsToken(normal, token)))
  const numbers = numbersOf(normaliseText(folded)).filter((number) => !own.some((each) => each.numbers.has(number)))
  const quotes = [...folded.matchAll(quoted)]
    .map(([, curved, straight = '']) => normaliseText(curved ?? straight))
    .filter((quote) => !own.some(({ normal }) => normal.includes(quote)))
  const names = sentencesOf(folded).flatMap((sentence) => {
    const main = mainScript(sentence)
    const isWritten = (each: Word) =>
      each.script === 'katakana' || (!UNCASED.has(each.script) && each.script !== main) || (marksNames && each.isName) || isNamed(each)
    return wordsOf(sentence).filter((each) => each.text.length > 1 && isWritten(each) && !standsIn(each, own))
  })
  return [...tokens, ...numbers, ...quotes, ...names.map(({ normal }) => normal)]
}
