/** Finds a text regardless of case, Unicode form, white space, invisible characters and escapes. Pure. */
import { pause } from '../shared/pause.ts'
import { foldForSearch, foldLetters, foldSpaces } from './fold-for-search.ts'

/** A text that was made from another text. */
interface Derived {
  readonly text: string
  /** For each UTF-16 unit of `text`: where its letter begins and ends in the original, in UTF-16 units. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** The escapes of JSON, and the `\x` and `\U` escapes of YAML. */
const ESCAPE = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(["\\/bfnrt]))/g

/** The start of an escape that can encode any letter. */
const ESCAPED_LETTER = /\\[uUx]/

const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Times that a text is unescaped: a JSON string can contain JSON. */
const MAX_LEVELS = 3

const LAST_CODE_POINT = 0x10ffff

const resolve = (sequence: string, u = '', U = '', x = '', short = ''): string => {
  if (short) return SHORT[short] ?? short
  const code = Number.parseInt(u || U || x, 16)
  return code > LAST_CODE_POINT ? sequence : String.fromCodePoint(code)
}

/** The text as it is written, then with its escapes resolved, level by level. */
const readingsOf = (text: string, levels = MAX_LEVELS): readonly string[] => {
  const readings = [text]
  for (let last = text; last.includes('\\') && readings.length <= levels; ) {
    const next = last.replace(ESCAPE, (sequence, ...[u, U, x, short]: string[]) => resolve(sequence, u, U, x, short))
    if (next === last) break
    readings.push(next)
    last = next
  }
  return readings
}

const unescapeWithPlaces = (original: string): Derived => {
  const pieces: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const copy = (from: number, to: number) => {
    pieces.push(original.slice(from, to))
    for (let at = from; at < to; at++) {
      starts.push(at)
      ends.push(at + 1)
    }
  }
  let end = 0
  for (const { index, 0: sequence, 1: u, 2: U, 3: x, 4: short } of original.matchAll(ESCAPE)) {
    copy(end, index)
    end = index + sequence.length
    const letter = resolve(sequence, u, U, x, short)
    pieces.push(letter)
    for (let unit = 0; unit < letter.length; unit++) {
      starts.push(index)
      ends.push(end)
    }
  }
  copy(end, original.length)
  return { text: pieces.join(''), starts, ends }
}

/** Maps `then`, which was made from the text of `first`, back to the original of `first`. */
const through = (first: Derived, then: Derived): Derived => ({
  text: then.text,
  starts: then.starts.map((at) => first.starts[at] ?? 0),
  ends: then.ends.map((at) => first.ends[at - 1] ?? 0),
})

/** Replaces each piece of text that was cut. */
const ERASED = '(erased)'

/** Characters of a long text that are searched without a pause. */
const CHUNK_CHARS = 65_536

/** Characters that join the letter before them: marks, invisible characters, Hangul vowels and finals, and characters that fold to one of these in NFKC. */
const JOINS =
  '\\p{M}\\p{Cf}\\u0e33\\u0eb3\\u1160-\\u11ff\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u318e\\ud7b0-\\ud7fb\\uff9e-\\uffa0\\uffa3\\uffa5\\uffa6\\uffaa-\\uffaf\\uffc2-\\uffdc'
const JOINING = new RegExp(`[${JOINS}]`, 'u')
const LETTERS = new RegExp(`[^${JOINS}][${JOINS}]*|[${JOINS}]+`, 'gu')

/** Folds letter by letter, to map each place in the folded text to the original. */
const foldWithPlaces = (original: string): Derived => {
  const pieces: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const [letter] of original.matchAll(LETTERS)) {
    const folded = foldSpaces(foldLetters(letter))
    if (folded !== '' && !(folded === ' ' && pieces.at(-1)?.endsWith(' '))) {
      for (let unit = 0; unit < folded.length; unit++) {
        starts.push(at)
        ends.push(at + letter.length)
      }
      pieces.push(folded)
    }
    at += letter.length
  }
  return { text: pieces.join(''), starts, ends }
}

/** The longest piece without white space and without characters that JSON escapes: it occurs unchanged in every format. */
const probeOf = (needle: string): string =>
  needle.split(/[\s"\\/\p{Cc}]+/u).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')

/** Fewer texts are looked for one by one. */
const MANY = 8
const GRAM = 3

const gramAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff

/** The first of the texts that occurs and passes the test, whose search takes one pass for however many there are. */
const finderOf = (wanted: readonly string[]): ((text: string, test?: (found: string) => boolean) => boolean) => {
  const isTrue = () => true
  if (wanted.length <= MANY) return (text, test = isTrue) => wanted.some((each) => text.includes(each) && test(each))
  const short = wanted.filter(({ length }) => length < GRAM)
  const byGram = new Map<number, string[]>()
  for (const each of wanted.filter(({ length }) => length >= GRAM)) {
    const gram = gramAt(each, 0)
    byGram.set(gram, [...(byGram.get(gram) ?? []), each])
  }
  const isStart = new Uint8Array(0x10000)
  for (const gram of byGram.keys()) isStart[gram] = 1
  return (text, test = isTrue) => {
    for (let at = 0; at + GRAM <= text.length; at++) {
      const gram = gramAt(text, at)
      if (isStart[gram] === 1 && byGram.get(gram)?.some((each) => text.startsWith(each, at) && test(each))) return true
    }
    return short.some((each) => text.includes(each) && test(each))
  }
}

export interface TextMatcher {
  readonly matches: (text: string) => boolean
  /** The same for a text that `foldForSearch` has returned. */
  readonly holds: (folded: string) => boolean
  /** Replaces each match with `(erased)`. */
  readonly cut: (text: string) => string
  /** A quick test of a raw document, JSON or not: false only if nothing in it matches. */
  readonly mayHold: (text: string) => boolean
  /** Characters by which chunks of a document must overlap, so that no match across two chunks is missed. */
  readonly overlap: number
}

/** `needles`: the texts to find. `shields`: longer texts in which a needle does not count as a match; `(erased)` is always one of them. */
export const createMatcher = (needles: readonly string[], shields: readonly string[] = []): TextMatcher => {
  const folded = [...new Set(needles.map((needle) => foldForSearch(needle).trim()))].filter((needle) => needle !== '')
  const probes = [...new Set(folded.map(probeOf))]
  const kept = [...new Set([ERASED, ...shields].flatMap(readingsOf).map((shield) => foldForSearch(shield).trim()))]
    .filter((shield) => shield !== '')
    .sort((a, b) => b.length - a.length)
  /** Blanks the shields in a text. A shield that is part of the needle itself is not blanked. */
  const shielded = (text: string, needle: string): string =>
    kept.reduce(
      (rest, shield) => (needle !== shield && needle.includes(shield) ? rest : rest.replaceAll(shield, '\0'.repeat(shield.length))),
      text,
    )
  const findNeedle = finderOf(folded)
  const findProbe = finderOf(probes)
  const holds = (text: string): boolean => findNeedle(text, (needle) => shielded(text, needle).includes(needle))

  const matches = (text: string): boolean => readingsOf(text).some((reading) => holds(foldForSearch(reading)))

  const placesIn = ({ text, starts, ends }: Derived, length: number): readonly (readonly [number, number])[] => {
    const places: (readonly [number, number])[] = []
    for (const needle of folded) {
      if (!text.includes(needle)) continue
      const searched = shielded(text, needle)
      for (let at = searched.indexOf(needle); at >= 0; at = searched.indexOf(needle, at + needle.length)) {
        places.push([starts[at] ?? 0, ends[at + needle.length - 1] ?? length])
      }
    }
    return places
  }

  const cut = (original: string): string => {
    let ranges = placesIn(foldWithPlaces(original), original.length)
    let unescaped: Derived | undefined
    for (const reading of readingsOf(original).slice(1)) {
      const from = unescaped?.text ?? original
      const next = unescapeWithPlaces(from)
      unescaped = unescaped ? through(unescaped, next) : next
      if (holds(foldForSearch(reading)))
        ranges = ranges.concat(placesIn(through(unescaped, foldWithPlaces(unescaped.text)), original.length))
    }
    let result = ''
    let end = 0
    for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
      if (from >= end) result += original.slice(end, from) + ERASED
      end = Math.max(end, to)
    }
    return result + original.slice(end)
  }

  // An escaped letter is found only after unescaping.
  const mayHold = (text: string): boolean => {
    if (probes.length === 0) return false
    if (probes.includes('') || ESCAPED_LETTER.test(text)) return true
    // A text in a string of JSON is escaped once more than by itself.
    return findProbe(foldLetters(text)) && readingsOf(text, MAX_LEVELS + 1).some((reading) => findNeedle(foldForSearch(reading)))
  }

  return { matches, holds, cut, mayHold, overlap: Math.max(0, ...folded.map((needle) => needle.length)) * 12 + 64 }
}

/** Whether any chunk of a text passes the test. Other work can run between the chunks. */
export const someChunk = async (text: string, overlap: number, test: (chunk: string) => boolean): Promise<boolean> => {
  for (let start = 0; start < text.length; start += CHUNK_CHARS) {
    let from = Math.max(0, start - overlap)
    while (from > 0 && JOINING.test(text[from] ?? '')) from--
    if (test(text.slice(from, start + CHUNK_CHARS))) return true
    if (start + CHUNK_CHARS < text.length) await pause()
  }
  return false
}
