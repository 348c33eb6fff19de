/** The text for the threat patterns: cut, NFKC-normalised and reduced to ASCII, so that every matcher works on one plain alphabet. */
import { isAscii } from '../shared/ascii.ts'
import { foldCompatible, withoutInvisible } from '../shared/fold-text.ts'
import { lazyPattern } from '../shared/lazy-pattern.ts'
import { readOnce } from '../shared/read-once.ts'
import { WHITE_SPACE } from '../shared/white-space.ts'
import { parsePhrase, THREAT_PHRASES } from './phrases.ts'

// Disguises that hide a phrase from a word list: accents, strokes, look-alike letters of other scripts, and spaced-out letters.

/** Each word: a letter, then those of Cyrillic, Greek, Armenian and phonetic alphabets that look like it. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  `aаАαΑᴀɑ bВΒʙ cсСᴄ dԁᴅ eеЕεΕᴇ fꜰ gɢɡ hһНΗʜ iіІӀӏιΙɪ jјЈᴊ kкКκΚᴋ lʟ mмМΜᴍ nηΝոɴ oоОοΟσօᴏ
  pрРρΡᴘ rʀ sѕЅꜱ tтТτΤᴛ uυսᴜ vѵνᴠ wԝᴡ xхХχΧ yуУγΥʏ zᴢ`
    .split(/\s+/)
    .flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)),
)
const lookalike = lazyPattern(`[${[...LOOKALIKES.keys()].join('')}]`, 'g')
const mark = lazyPattern(String.raw`\p{M}+`, 'gu')

/** At least three single letters with a few signs or spaces between them. */
const apart = lazyPattern(String.raw`(?<![\p{L}\p{N}])[a-z](?:[^\p{L}\p{N}]{1,3}[a-z](?![\p{L}\p{N}])){2,}`, 'giu')
/** The same for a text in ASCII: compiled in a fraction of the time. */
const apartInAscii = /(?<![a-z0-9])[a-z](?:[^a-z0-9]{1,3}[a-z](?![a-z0-9])){2,}/gi
const between = /[^a-z]+/gi

/** Word boundaries are lost in spaced-out letters, so the relevant words are searched for in them. */
const words = readOnce(() => {
  const all = THREAT_PHRASES.flatMap(({ notations }) => notations.flatMap(parsePhrase)).flatMap((steps) =>
    steps.flatMap(({ words }) => words),
  )
  const plain = [...new Set(all)].filter((word) => /^[a-z]+$/.test(word))
  return new RegExp(plain.sort((a, b) => b.length - a.length).join('|'), 'gi')
})

/** A repeated single letter is not a word. */
const isRepeated = (letters: string): boolean => letters === letters.charAt(0).repeat(letters.length)

const together = (run: string): string => {
  const letters = run.replace(between, '')
  return isRepeated(letters) ? run : ` ${letters.replace(words.read(), ' $& ')} `
}

/** Takes a text in NFKC form. Linear; undisguised text is not changed. */
const withoutDisguise = (normal: string): string => {
  if (isAscii(normal)) return normal.replace(apartInAscii, together)
  return withoutInvisible(normal.normalize('NFD').replace(mark.read(), ''))
    .replace(lookalike.read(), (char) => LOOKALIKES.get(char) ?? char)
    .replace(apart.read(), together)
}

// The plain alphabet of the matchers.

const decoder = new TextDecoder()

export interface ThreatText {
  /**
   * One ASCII character per code point of the normalised text: letters in lower case (ı and İ as i), white space other than a line feed
   * as a space, any other word character as `Z`, the rest as DEL. So `\w`, `\b` and `\s` mean the same as in Python, and offsets count
   * code points.
   */
  readonly folded: string
  /** The same with the case kept, and DEL for everything outside ASCII. Computed on demand. */
  readonly cased: () => string
}

const SPACE = 0x20
const PLAIN_I = 0x69
const FOREIGN_WORD = 0x5a
const OTHER = 0x7f

const wordRun = lazyPattern(String.raw`[\p{L}\p{N}]+`, 'gu')
const word = lazyPattern(String.raw`[\p{L}\p{N}]`, 'u')

/** The white space of ASCII except the line feed. */
const isSpace = (code: number): boolean => code === 0x09 || (code >= 0x0b && code <= 0x0d) || (code >= 0x1c && code <= SPACE)

const asciiTable = (fold: boolean): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => {
    if (isSpace(code)) return SPACE
    return fold ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : code
  })

const foldedAscii = asciiTable(true)
const casedAscii = asciiTable(false)

let foldedUnits: Uint8Array | undefined

/** The folded character for each UTF-16 unit. Computed at the first text that is not ASCII. */
const unitTable = (): Uint8Array => {
  if (foldedUnits) return foldedUnits
  const table = new Uint8Array(0x10000).fill(OTHER)
  const blockSize = 0x800
  for (let start = 0; start < table.length; start += blockSize) {
    const block = String.fromCharCode(...Array.from({ length: blockSize }, (_, at) => start + at))
    for (const { 0: run, index } of block.matchAll(wordRun.read())) table.fill(FOREIGN_WORD, start + index, start + index + run.length)
    for (const { index } of block.matchAll(new RegExp(`[${WHITE_SPACE}]`, 'g'))) table[start + index] = SPACE
  }
  table.fill(PLAIN_I, 0x130, 0x132)
  table.set(foldedAscii)
  foldedUnits = table
  return table
}

/** One character per code point: from the table, or for a surrogate pair by whether it is a word character. */
const reduce = (text: string, table: Uint8Array, pairWord: number): string => {
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    let byte = unit < table.length ? (table[unit] as number) : OTHER
    if (unit >= 0xd800 && unit < 0xdc00 && (text.codePointAt(at) as number) > 0xffff) {
      byte = word.read().test(text.slice(at, at + 2)) ? pairWord : OTHER
      at++
    }
    bytes[length++] = byte
  }
  return decoder.decode(bytes.subarray(0, length))
}

/** At most `limit` code points from the start. */
const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = 0
  for (let count = 0; count < limit && end < text.length; count++) end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** The parts of a text that a scan uses. */
export interface ThreatReading {
  /** The cut text before normalising; searched for invisible characters. */
  readonly raw: string
  /** True if the text is longer than `raw`. */
  readonly isCut: boolean
  /** True if normalising expanded the text beyond the limit, so that only part of it is scanned. */
  readonly isSwollen: boolean
  readonly text: ThreatText
  /** The text without disguise; `undefined` if that is the same. */
  readonly bare: ThreatText | undefined
}

const toThreatText = (normal: string): ThreatText => {
  const table = isAscii(normal) ? foldedAscii : unitTable()
  return { folded: reduce(normal, table, FOREIGN_WORD), cased: () => reduce(normal, casedAscii, OTHER) }
}

/** Characters that normalising may add, besides doubling the text: a note may hold a ligature for a phrase. */
const SWELLING = 200

/** Linear in the text. A character can expand to eighteen, so the normalised text is cut as well. */
export const readThreatText = (text: string, limit: number): ThreatReading => {
  const raw = cut(text, limit)
  const whole = foldCompatible(raw)
  const most = 2 * raw.length + SWELLING
  const normal = whole.length > most ? cut(whole, most) : whole
  const bare = withoutDisguise(normal)
  return {
    raw,
    isCut: raw.length < text.length,
    isSwollen: normal.length < whole.length,
    text: toThreatText(normal),
    bare: bare === normal ? undefined : toThreatText(bare),
  }
}
