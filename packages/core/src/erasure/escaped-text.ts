/** Resolves the escapes in a text and maps each letter back to its place in the original. Pure. */

/** A text that was made from another text. */
export interface Derived {
  readonly text: string
  /** For each UTF-16 unit of `text`: where its letter begins and ends in the original, in UTF-16 units. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** The escapes of JSON, and the `\x` and `\U` escapes of YAML. */
const ESCAPE = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(["\\/bfnrt]))/g

/** The start of an escape that can encode any letter. */
export const ESCAPED_LETTER = /\\[uUx]/

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
export const readingsOf = (text: string): readonly string[] => {
  const readings = [text]
  for (let last = text; last.includes('\\') && readings.length <= MAX_LEVELS; ) {
    const next = last.replace(ESCAPE, (sequence, ...[u, U, x, short]: string[]) => resolve(sequence, u, U, x, short))
    if (next === last) break
    readings.push(next)
    last = next
  }
  return readings
}

export const unescapeWithPlaces = (original: string): Derived => {
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
export const through = (first: Derived, then: Derived): Derived => ({
  text: then.text,
  starts: then.starts.map((at) => first.starts[at] ?? 0),
  ends: then.ends.map((at) => first.ends[at - 1] ?? 0),
})
