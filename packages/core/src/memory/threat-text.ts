/** The text as the threat patterns see it: cut, NFKC-normalised and reduced to ASCII, so that every matcher runs on one plain alphabet. */
import { WHITE_SPACE } from '../shared/white-space.ts'

export interface ThreatText {
  /**
   * One ASCII character per code point of the normalised text: letters lower-cased (ı and İ as i), white space other than a line feed as a
   * space, any other word character as `Z`, the rest as DEL. So `\w`, `\b` and `\s` mean what they mean in Python, and offsets count code points.
   */
  readonly folded: string
  /** The same places with the case kept, and DEL for everything outside ASCII. Made on demand. */
  readonly cased: () => string
}

const SPACE = 0x20
const OTHER = 0x7f
const FOREIGN_WORD = 0x5a
const FOREIGN_SPACE = 1

const isAscii = /^[\0-\x7f]*$/
const isSpace = new RegExp(`[${WHITE_SPACE}]`)
const isWord = /[\p{L}\p{N}]/u

const asciiTable = (fold: boolean): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => {
    const char = String.fromCharCode(code)
    if (isSpace.test(char) && char !== '\n') return SPACE
    return fold ? char.toLowerCase().charCodeAt(0) : code
  })

const foldedAscii = asciiTable(true)
const casedAscii = asciiTable(false)

let foreignKinds: Uint8Array | undefined

/** For each UTF-16 unit: `FOREIGN_WORD`, `FOREIGN_SPACE` or 0. Built at the first text that is not ASCII. */
const foreignTable = (): Uint8Array => {
  if (foreignKinds) return foreignKinds
  const table = new Uint8Array(0x10000)
  const units = String.fromCharCode(...Array.from({ length: 0x800 }, (_, low) => low))
  for (let high = 0; high < 0x10000; high += units.length) {
    const block = high === 0 ? units : String.fromCharCode(...Array.from({ length: units.length }, (_, low) => high + low))
    for (const match of block.matchAll(/[\p{L}\p{N}]+/gu))
      table.fill(FOREIGN_WORD, high + match.index, high + match.index + match[0].length)
    for (const match of block.matchAll(new RegExp(`[${WHITE_SPACE}]`, 'g'))) table[high + match.index] = FOREIGN_SPACE
  }
  foreignKinds = table
  return table
}

const reduce = (text: string, fold: boolean): string => {
  const ascii = fold ? foldedAscii : casedAscii
  const foreign = foreignTable()
  const word = fold ? FOREIGN_WORD : OTHER
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    let byte: number
    if (code < 128) byte = ascii[code] as number
    else if (code === 0x130 || code === 0x131) byte = fold ? 0x69 : OTHER
    else {
      let kind = foreign[code] as number
      if (code >= 0xd800 && code < 0xdc00) {
        const point = text.codePointAt(at) as number
        if (point > 0xffff) {
          at++
          kind = isWord.test(String.fromCodePoint(point)) ? FOREIGN_WORD : 0
        }
      }
      byte = kind === FOREIGN_WORD ? word : kind === FOREIGN_SPACE ? SPACE : OTHER
    }
    bytes[length++] = byte
  }
  return new TextDecoder().decode(bytes.subarray(0, length))
}

/** At most `limit` code points from the start. */
const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = 0
  for (let count = 0; count < limit && end < text.length; count++) end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/**
 * Normalising sorts the marks after a letter in quadratic time, so tens of thousands of marks would stall the host. A joiner after every
 * thirtieth (as in Unicode's stream-safe format) keeps it linear and changes nothing a pattern looks at.
 */
const breakMarkRuns = (text: string): string =>
  text.replace(/[\p{M}\uff9e\uff9f]+/gu, (run) => (run.length > 30 ? run.replace(/.{30}/gsu, '$&\u034f') : run))

/** Linear in the text; `raw` is the cut text before normalising, in which invisible characters are looked for. */
export const toThreatText = (text: string, limit: number): ThreatText & { readonly raw: string } => {
  const raw = cut(text, limit)
  const normal = isAscii.test(raw) ? raw : breakMarkRuns(raw).normalize('NFKC')
  return { raw, folded: reduce(normal, true), cased: () => reduce(normal, false) }
}
