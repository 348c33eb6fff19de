/**
 * Removes disguises that hide a phrase from a word list: accents, strokes, look-alike letters of other scripts, and spaced-out letters.
 */

import { withoutInvisible } from '../shared/fold-text.ts'
import { readOnce } from '../shared/read-once.ts'
import { parsePhrase } from './phrase.ts'
import { THREAT_PHRASES } from './phrases.ts'

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ['аА', 'a'],
    ['В', 'b'],
    ['сС', 'c'],
    ['ԁ', 'd'],
    ['еЕ', 'e'],
    ['һН', 'h'],
    ['іІӀӏ', 'i'],
    ['јЈ', 'j'],
    ['кК', 'k'],
    ['мМ', 'm'],
    ['оО', 'o'],
    ['рР', 'p'],
    ['ѕЅ', 's'],
    ['тТ', 't'],
    ['ѵ', 'v'],
    ['ԝ', 'w'],
    ['хХ', 'x'],
    ['уУ', 'y'],
    ['αΑ', 'a'],
    ['Β', 'b'],
    ['εΕ', 'e'],
    ['Η', 'h'],
    ['ιΙ', 'i'],
    ['κΚ', 'k'],
    ['Μ', 'm'],
    ['ηΝ', 'n'],
    ['οΟσ', 'o'],
    ['ρΡ', 'p'],
    ['τΤ', 't'],
    ['υ', 'u'],
    ['ν', 'v'],
    ['χΧ', 'x'],
    ['γΥ', 'y'],
    ['օ', 'o'],
    ['ո', 'n'],
    ['ս', 'u'],
    ['ᴀɑ', 'a'],
    ['ʙ', 'b'],
    ['ᴄ', 'c'],
    ['ᴅ', 'd'],
    ['ᴇ', 'e'],
    ['ꜰ', 'f'],
    ['ɢɡ', 'g'],
    ['ʜ', 'h'],
    ['ɪ', 'i'],
    ['ᴊ', 'j'],
    ['ᴋ', 'k'],
    ['ʟ', 'l'],
    ['ᴍ', 'm'],
    ['ɴ', 'n'],
    ['ᴏ', 'o'],
    ['ᴘ', 'p'],
    ['ʀ', 'r'],
    ['ꜱ', 's'],
    ['ᴛ', 't'],
    ['ᴜ', 'u'],
    ['ᴠ', 'v'],
    ['ᴡ', 'w'],
    ['ʏ', 'y'],
    ['ᴢ', 'z'],
  ].flatMap(([others = '', letter = '']) => [...others].map((other) => [other, letter] as const)),
)
const lookalike = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'g')
const mark = /\p{M}+/gu
const ascii = /^[\0-\x7f]*$/

/** At least three single letters with a few signs or spaces between them. */
const apart = /(?<![\p{L}\p{N}])[a-z](?:[^\p{L}\p{N}]{1,3}[a-z](?![\p{L}\p{N}])){2,}/giu
const between = /[^a-z]+/gi

/** Word boundaries are lost in spaced-out letters, so the relevant words are searched for in them. */
const words = readOnce(
  () =>
    new RegExp(
      [
        ...new Set(
          THREAT_PHRASES.flatMap(({ notations }) => notations.flatMap(parsePhrase)).flatMap((steps) => steps.flatMap(({ words }) => words)),
        ),
      ]
        .filter((word) => /^[a-z]+$/.test(word))
        .sort((a, b) => b.length - a.length)
        .join('|'),
      'gi',
    ),
)

/** A repeated single letter is not a word. */
const isRepeated = (letters: string): boolean => letters === letters.charAt(0).repeat(letters.length)

const together = (run: string): string => {
  const letters = run.replace(between, '')
  return isRepeated(letters) ? run : ` ${letters.replace(words.read(), ' $& ')} `
}

/** Takes a text in NFKC form. Linear; undisguised text is not changed. */
export const withoutDisguise = (normal: string): string => {
  const plain = ascii.test(normal)
    ? normal
    : withoutInvisible(normal.normalize('NFD').replace(mark, '')).replace(lookalike, (char) => LOOKALIKES.get(char) ?? char)
  return plain.replace(apart, together)
}
