/** Invisible characters that change what a model reads (reference hermes-memory 7), and the joiners that some scripts need. */
import { isAscii } from '../shared/ascii.ts'
import { lazyPattern } from '../shared/lazy-pattern.ts'
import { readOnce } from '../shared/read-once.ts'

/** Includes tag characters and variation selectors above the basic plane: both can encode a whole hidden text. */
const INVISIBLE = lazyPattern(
  String.raw`[\u200b-\u200d\u2060\u2062-\u2064\ufeff\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]|\p{Variation_Selector}`,
  'gu',
)

const NON_JOINER = '\u200c'
const JOINER = '\u200d'

const SELECTOR = '\ufe0f'
/** A selector chooses the form of the preceding character; those above the basic plane are for Han characters. */
const SELECTORS = lazyPattern(String.raw`\p{Variation_Selector}`, 'u')
const HAN_SELECTORS = /[\u{e0100}-\u{e01ef}]/u
const HAN = lazyPattern(String.raw`\p{Script=Han}`, 'u')

const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Tibetan', 'Myanmar', 'Khmer', 'Newa', 'Grantha', 'Tirhuta', 'Modi', 'Chakma', 'Balinese', 'Javanese', 'Brahmi', 'Kaithi'],
]

type Kind = 'emoji' | 'modifier' | 'letter' | 'virama' | 'other'

/** Compiled at first use. */
const KINDS = readOnce(
  (): ReadonlyArray<readonly [Kind, RegExp]> => [
    ['emoji', lazyPattern(String.raw`\p{Extended_Pictographic}`, 'u').read()],
    ['modifier', lazyPattern(String.raw`\p{Emoji_Modifier}`, 'u').read()],
    // The virama, which mutes an Indic vowel. A joiner after it shapes the letter even at the end of a word, as in older Malayalam and
    // Bengali text.
    ['virama', /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/],
    ['letter', new RegExp(`(?=[\\p{L}\\p{M}])[${JOINING_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`, 'u')],
  ],
)

const charBefore = (text: string, at: number): string => {
  const pair = text.codePointAt(at - 2)
  return pair !== undefined && pair > 0xffff ? text.slice(at - 2, at) : text.charAt(at - 1)
}

/** Cached, since letters repeat. */
const createKindOf = (): ((char: string) => Kind) => {
  const known = new Map<string, Kind>()
  return (char) => {
    const kind = known.get(char) ?? KINDS.read().find(([, pattern]) => pattern.test(char))?.[0] ?? 'other'
    known.set(char, kind)
    return kind
  }
}

/** Whether the joiner at `at` has its proper use: combining emoji, or shaping letters of a script that joins them. */
const isJoinerInPlace = (text: string, at: number, kindOf: (char: string) => Kind): boolean => {
  const next = kindOf(String.fromCodePoint(text.codePointAt(at + 1) ?? 0))
  const direct = charBefore(text, at)
  const before = kindOf(direct)
  if (before === 'virama') return true
  if (before === 'letter') return next === 'letter' || next === 'virama'
  if (text[at] !== JOINER || next !== 'emoji') return false
  const base = direct === SELECTOR ? kindOf(charBefore(text, at - 1)) : before
  return base === 'emoji' || base === 'modifier'
}

const isSelectorInPlace = (text: string, at: number, char: string): boolean => {
  if (!SELECTORS.read().test(char)) return false
  const before = charBefore(text, at)
  return HAN_SELECTORS.test(char) ? HAN.read().test(before) : before !== '' && !SELECTORS.read().test(before)
}

/** `invisible_unicode_U+XXXX` for each kind of invisible character in the raw text, as it is first met. */
function* invisibleIn(text: string): Generator<string> {
  if (isAscii(text)) return
  const found = new Set<string>()
  const kindOf = createKindOf()
  for (const match of text.matchAll(INVISIBLE.read())) {
    const [char] = match
    const id = `invisible_unicode_U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    if (found.has(id)) continue
    if ((char === JOINER || char === NON_JOINER) && isJoinerInPlace(text, match.index, kindOf)) continue
    if (isSelectorInPlace(text, match.index, char)) continue
    found.add(id)
    yield id
  }
}

export const findInvisible = (text: string): ReadonlySet<string> => new Set(invisibleIn(text))

/** Reads no further than the first one. */
export const holdsInvisible = (text: string): boolean => invisibleIn(text).next().done === false
