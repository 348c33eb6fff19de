/** The time that a text speaks of: a date, a month, or an expression such as "last week". Pure. */
import type { TimeSpan } from '../recall-index.ts'
import { type CalendarUnit, type CalendarWords, calendarWords } from './calendar-words.ts'

export interface SpokenTime {
  readonly span: Required<TimeSpan>
  /** The text without it. */
  readonly rest: string
}

const DAY_MS = 86_400_000
/** A day of the speaker begins or ends at another time than one of UTC. */
const MARGIN_MS = DAY_MS / 2
/** Longer texts speak of many times. */
const MOST_CHARS = 1_000

const spanOf = (after: number, before: number): Required<TimeSpan> => ({ after: after - MARGIN_MS, before: before + MARGIN_MS })

const dayAt = (year: number, month: number, day: number): Required<TimeSpan> | undefined => {
  const start = Date.UTC(year, month, day)
  return new Date(start).getUTCDate() === day ? spanOf(start, start + DAY_MS) : undefined
}

const monthAt = (year: number, month: number): Required<TimeSpan> => spanOf(Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1))

const without = (text: string, index: number, length: number): string => `${text.slice(0, index)} ${text.slice(index + length)}`

const NUMERIC =
  /(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?![\d-])|(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)|(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?/u

const numericTime = (text: string): SpokenTime | undefined => {
  const found = NUMERIC.exec(text)
  if (!found) return undefined
  const [whole, isoYear, isoMonth, isoDay, day, month, year, eastYear, eastMonth, eastDay] = found
  const parts = [isoYear ?? year ?? eastYear, isoMonth ?? month ?? eastMonth, isoDay ?? day ?? eastDay].map((part) =>
    part === undefined ? undefined : Number(part),
  )
  const [atYear = 0, atMonth = 0, atDay] = parts
  if (atMonth < 1 || atMonth > 12) return undefined
  const span = atDay === undefined ? monthAt(atYear, atMonth - 1) : dayAt(atYear, atMonth - 1, atDay)
  return span && { span, rest: without(text, found.index, whole.length) }
}

const startOf: Readonly<Record<CalendarUnit, (now: Date, back: number) => number>> = {
  day: (now, back) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - back),
  week: (now, back) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7) - 7 * back),
  month: (now, back) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1),
  year: (now, back) => Date.UTC(now.getUTCFullYear() - back, 0, 1),
}

const backFrom = (now: number, unit: CalendarUnit, back: number): Required<TimeSpan> => {
  const today = new Date(now)
  return spanOf(startOf[unit](today, back), startOf[unit](today, back - 1))
}

const SPACED_LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u

/** Whether `text` has whole words from `start` to `end`; in scripts without spaces, any characters. */
const isWhole = (text: string, start: number, end: number): boolean => {
  const touches = (outside: string | undefined, inside: string | undefined) =>
    outside !== undefined && inside !== undefined && SPACED_LETTER.test(outside) && SPACED_LETTER.test(inside)
  return !touches(text[start - 1], text[start]) && !touches(text[end], text[end - 1])
}

const namedTime = (text: string, lower: string, now: number, { named }: CalendarWords): SpokenTime | undefined => {
  for (const { text: words, unit, back } of named) {
    const index = lower.indexOf(words)
    if (index >= 0 && isWhole(lower, index, index + words.length))
      return { span: backFrom(now, unit, back), rest: without(text, index, words.length) }
  }
  return undefined
}

const countedTime = (text: string, lower: string, now: number, { counted }: CalendarWords): SpokenTime | undefined => {
  for (const { 0: number, index } of lower.matchAll(/(?<!\d)\d{1,3}(?!\d)/g)) {
    const end = index + number.length
    const found = counted.find(({ prefix, suffix }) => lower.startsWith(suffix, end) && lower.slice(0, index).endsWith(prefix))
    if (!found) continue
    const start = index - found.prefix.length
    const length = found.prefix.length + number.length + found.suffix.length
    if (isWhole(lower, start, start + length))
      return { span: backFrom(now, found.unit, Number(number)), rest: without(text, start, length) }
  }
  return undefined
}

/** Common words too: only a capital letter within a sentence shows that a month is meant. */
const AMBIGUOUS = /^(?:may|march)$/i
const DAY_BEFORE = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s*(?:of|de)?\s*$/iu
const DAY_AFTER = /^,?\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?!\d)/iu
const YEAR = /(?<!\d)((?:19|20)\d\d)(?!\d)/

const monthTime = (text: string, now: number, words: CalendarWords): SpokenTime | undefined => {
  for (const found of text.matchAll(/\p{L}{3,}/gu)) {
    const [name] = found
    const month = words.months.get(name.toLowerCase())
    const before = text.slice(0, found.index)
    if (
      month === undefined ||
      (AMBIGUOUS.test(name) &&
        (/^[a-z]/.test(name) || (/(?:^|[.!?])\s*$/.test(before) && !/^\s*\d/.test(text.slice(found.index + name.length)))))
    )
      continue
    const after = text.slice(found.index + name.length)
    const day = DAY_BEFORE.exec(before.slice(-12)) ?? DAY_AFTER.exec(after.slice(0, 12))
    const said = YEAR.exec(text)?.[1]
    const thisYear = new Date(now).getUTCFullYear()
    const year = said === undefined ? thisYear - (Date.UTC(thisYear, month, Number(day?.[1] ?? 1)) > now ? 1 : 0) : Number(said)
    const span = day ? dayAt(year, month, Number(day[1])) : monthAt(year, month)
    if (span) return { span, rest: without(text, found.index, name.length) }
  }
  return undefined
}

/** `now`: epoch milliseconds. Undefined if the text speaks of no time. A month or a day without a year is the last one before `now`. */
export const spokenTime = (text: string, now: number): SpokenTime | undefined => {
  if (text.length > MOST_CHARS || Number.isNaN(new Date(now).getTime())) return undefined
  const words = calendarWords()
  const lower = text.toLowerCase()
  // Some capital letters become two small ones.
  const sameLength = lower.length === text.length ? lower : text
  return (
    numericTime(text) ?? monthTime(text, now, words) ?? namedTime(text, sameLength, now, words) ?? countedTime(text, sameLength, now, words)
  )
}
