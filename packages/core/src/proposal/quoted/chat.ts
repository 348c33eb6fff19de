/** Copies out of chat programs: messages with the time at which somebody else wrote them. */
import { lazyPattern } from '../../shared/lazy-pattern.ts'
import type { Line } from './marks.ts'

const TIME = String.raw`(?:(?:午前|午後|上午|下午|오전|오후)\s?)?\d{1,2}[:h]\d{2}(?::\d{2})?(?:\s?(?:[apAP]\.?\s?[mM]\b\.?|[πμ]\.?μ\.?|Uhr))?`
const DATE = String.raw`(?:\d{1,4}[./-]\s?\d{1,2}(?:[./-]\s?\d{2,4})?\.?|\d{4}年\d{1,2}月\d{1,2}日|\d{4}년 \d{1,2}월 \d{1,2}일)`
/** Words that belong to a time: "12 March at", "Today at". */
const DATE_WORDS = String.raw`(?:[\p{L}\d.,/-]{1,14}\s){0,5}?`
const IN_BRACKETS = String.raw`\[(?=[^\]]{0,30}\d[:.h]\d\d)[\p{L}\d\s.,:/-]{4,36}\]`
const NAME = String.raw`[\p{L}@~+][^:：<>\[\]\n\t]{0,39}?`
/** A name alone: up to four words with capitals, in scripts that have them. */
const PROPER = String.raw`[\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]{0,20}(?: [\p{Lu}\p{Lo}(][\p{L}\p{M}'’.)-]{0,20}){0,3}`

const anyOf = (end: string, ...forms: readonly string[]) =>
  lazyPattern(forms.map((form) => `^[\\s\u200e]{0,4}(?:${form})${end}`).join('|'), 'u')

/** A message in its line. One is enough. */
const message = anyOf(
  '',
  // [10:12] Ada: … · [12.03.26, 10:12:05] Ada: … · [10:12] <ada> …
  String.raw`${IN_BRACKETS}\s{0,3}(?:[-–]\s)?(?:${NAME}\s?[:：](?:\s|$)|<[^<>\s]{1,30}>\s)`,
  // [Ada] [10:12] …
  String.raw`\[[^[\]]{1,40}\] \[${TIME}\] `,
  // 12.03.26, 10:12 - Ada: …
  String.raw`${DATE}(?:\s?\([^()]{1,10}\))?[,\s]{1,3}(?:[\p{L}]{1,4}\s)?${TIME}[,\s]{0,2}[-–—|]?\s{0,2}${NAME}\s?[:：](?:\s|$)`,
  // 10:12:33 Ada: … · 10:12 <ada> … · 10:12⇥Ada⇥…
  String.raw`\d{1,2}:\d{2}:\d{2}\s{1,3}${NAME}\s?[:：](?:\s|$)`,
  String.raw`${TIME}\s<[^<>\s]{1,30}>\s`,
  String.raw`${TIME}\t[^\t]{1,40}\t`,
)

/** The line above a message, with brackets or columns. One is enough. */
const above = anyOf(
  String.raw`\s{0,2}$`,
  // Ada, [12.03.26 10:12] · [10:12] Ada
  String.raw`${NAME},?\s{0,2}${IN_BRACKETS}\s?[:：]?`,
  String.raw`${IN_BRACKETS}\s{1,2}${PROPER}`,
  // Ada  10:12 AM
  String.raw`${PROPER}(?:\s{0,2}\p{Emoji_Presentation}|:[\w-]{1,30}:)?(?:[ \u00a0]{2,6}|\t)${TIME}`,
)

/** What an agenda looks like, too. With the name and the message in one line, or in two. */
const nameInLine = anyOf('', String.raw`\(?${TIME}\)?\s{1,2}(?:[-–]\s)?${PROPER}\s?[:：]\s`, String.raw`${PROPER} \(${TIME}\)\s?[:：]\s`)
const nameAbove = anyOf(
  String.raw`\s?[:：]?$`,
  String.raw`${PROPER}(?:,|\s[-–—|•·])?\s{1,2}${DATE_WORDS}(?:${DATE},?\s)?\(?${TIME}\)?`,
  String.raw`${TIME}[,\s]{1,2}${PROPER}`,
)
const nameAlone = anyOf('$', PROPER)
const timeAlone = anyOf('$', `${DATE_WORDS}${TIME}`)

/** Messages of a chat follow each other sooner than appointments. */
const MAX_MINUTES = 10

/** In every form. */
const anyTime = /\d[:.h]\d\d/
const clock = /(\d{1,2})[:h](\d{2})/

const minutesIn = (text: string): number => {
  const [, hours, minutes] = clock.exec(text) ?? []
  return Number(hours) * 60 + Number(minutes)
}

/** With a message below and no such line beside it, as lists have. */
const isAlone = (lines: readonly Line[], index: number, form: RegExp): boolean => {
  const [previous, next] = [lines[index - 1]?.text ?? '', lines[index + 1]?.text ?? '']
  return next !== '' && !form.test(next) && !form.test(previous)
}

/** The first line of what may be a message: that of its name. */
const possibleMessage = (lines: readonly Line[], index: number, line: Line): Line | undefined => {
  if (nameInLine.read().test(line.text)) return line
  if (nameAbove.read().test(line.text) && isAlone(lines, index, nameAbove.read())) return line
  const previous = lines[index - 1]
  const hasMessage = (lines[index + 1]?.text ?? '') !== ''
  return previous && hasMessage && timeAlone.read().test(line.text) && nameAlone.read().test(previous.text) ? previous : undefined
}

/** Where the first chat begins. */
export const chat = (lines: readonly Line[]): number | undefined => {
  let first: number | undefined
  let before: number | undefined
  for (const [index, line] of lines.entries()) {
    const { start, text } = line
    if (!anyTime.test(text)) continue
    if (message.read().test(text)) return start
    if (above.read().test(text) && isAlone(lines, index, above.read())) return start
    const possible = possibleMessage(lines, index, line)
    if (!possible) continue
    const minutes = minutesIn(text)
    first ??= possible.start
    if (before !== undefined && Math.abs(minutes - before) <= MAX_MINUTES) return first
    before = minutes
  }
  return undefined
}
