/** The line above a quoted mail: "On Monday, Ada wrote:". */
import { latePattern } from '../../shared/late-pattern.ts'
import type { Line } from './lines.ts'
import { ON, WROTE, WROTE_UNSPACED } from './mail-words.ts'

const NAME_WORD = String.raw`(?:[\p{Lu}\p{Lt}\p{Lo}"“„'<(\[]\S{0,60}|\p{Ll}{1,3}|\d[\d.:/-]{0,12}|följande|følgende|following|folgendes)`
const NOT_I = String.raw`(?<!(?:^|[^\p{L}])(?:I|j['’]ai|я) )`
const NOR_I = String.raw`(?! (?:ich|ik|jag|jeg)\b)`
const WRITER = `(?:(?<!\\p{L})(?:${WROTE})|${WROTE_UNSPACED})${NOR_I}(?: ${NAME_WORD}){0,6}\\s{0,2}`

/** With the name behind the verb in languages that put it there. */
const wroteAtEnd = latePattern(`${NOT_I}${WRITER}(?:[:：]|[:：]?\\s?-{3,60})$`, 'u')
const ADDRESS = String.raw`[<(［[]\s?(?:mailto:)?[^\s<>()[\]@]{1,80}@[^\s<>()[\]@]{1,80}(?:[>)\]］]|<mailto:[^\s<>]{1,80}>>)`
const addressAtEnd = new RegExp(String.raw`${ADDRESS}\s{0,2}(?:のメール|のメッセージ)?\s{0,2}[:：]$`)
const beginsWithOn = latePattern(String.raw`^[\s—–-]{0,8}(?:${ON})[\s,]`, 'iu')
/** With the mail in the same line. */
const insideLine = latePattern(
  String.raw`\d:\d\d.{0,100}${ADDRESS}(?:,? (?:${WROTE})|${WROTE_UNSPACED})?\s{0,2}[:：]|${ADDRESS}[^@]{0,60}(?:${WROTE}|${WROTE_UNSPACED})\s{0,2}[:：]`,
  'u',
)

/** A day or an hour: a year alone is said of books. */
const dayOrHour = /(?<!\d)\d{1,2}(?!\d)/
const MAX_LINES = 3
const MIN_CHARS = 8
const MAX_CHARS = 240
const MAX_INSIDE = 300

const isAttribution = (text: string): boolean => {
  if (text.includes('@') && addressAtEnd.test(text)) return dayOrHour.test(text)
  return (dayOrHour.test(text) || text.includes('@') || beginsWithOn.read().test(text)) && wroteAtEnd.read().test(text)
}

/** The beginning of a line that a mail program has wrapped. */
const isBeginning = (text: string): boolean => text.includes('@') || (dayOrHour.test(text) && beginsWithOn.read().test(text))

/** Where the first attribution begins: alone in its line, or in up to three that a mail program has wrapped. */
export const attribution = (lines: readonly Line[]): number | undefined => {
  for (const [index, line] of lines.entries()) {
    const { text } = line
    if (text.includes('@') && dayOrHour.test(text) && insideLine.read().test(text.slice(0, MAX_INSIDE))) return line.start
    const last = text.at(-1)
    if (last !== ':' && last !== '：' && last !== '-') continue
    let joined = ''
    let start: number | undefined
    for (let back = 0; back < MAX_LINES; back += 1) {
      const above = lines[index - back]
      if (!above || above.text === '' || joined.length + above.text.length > MAX_CHARS) break
      joined = back === 0 ? above.text : `${above.text} ${joined}`
      if (joined.length >= MIN_CHARS && isAttribution(joined) && (start === undefined || isBeginning(above.text))) start = above.start
    }
    if (start !== undefined) return start
  }
  return undefined
}
