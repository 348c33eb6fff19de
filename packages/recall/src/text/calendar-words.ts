/** Names of months and expressions such as "last week" in many languages, as the runtime knows them. */

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'pl', 'ru', 'tr', 'ja', 'ko', 'zh']

export type CalendarUnit = 'day' | 'week' | 'month' | 'year'

/** All in lower case. */
export interface CalendarWords {
  /** From 0 to 11, by name. */
  readonly months: Map<string, number>
  /** An expression, and the number of units before the present one. */
  readonly named: { readonly text: string; readonly unit: CalendarUnit; readonly back: number }[]
  /** What is before and after a number of units. */
  readonly counted: { readonly prefix: string; readonly suffix: string; readonly unit: CalendarUnit }[]
}

const NAMED: readonly (readonly [CalendarUnit, number])[] = [
  ['day', 2],
  ['day', 1],
  ['day', 0],
  ['week', 1],
  ['week', 0],
  ['month', 1],
  ['month', 0],
  ['year', 1],
]
const COUNTED: readonly CalendarUnit[] = ['day', 'week', 'month', 'year']
/** In most languages, many have another form than few. */
const SAMPLES = [2, 3, 17]

const addMonths = (language: string, { months }: CalendarWords): void => {
  // With a day, because some languages inflect the name.
  for (const options of [{ month: 'long', day: 'numeric' }, { month: 'long' }] as const) {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    for (let month = 0; month < 12; month++) {
      const name = format
        .formatToParts(Date.UTC(2023, month, 1))
        .find(({ type }) => type === 'month')
        ?.value.toLowerCase()
      if (name !== undefined && /^\p{L}{3,}$/u.test(name) && !months.has(name)) months.set(name, month)
    }
  }
}

const addExpressions = (language: string, { named, counted }: CalendarWords): void => {
  const automatic = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, back] of NAMED) {
    const text = automatic.format(-back, unit).toLowerCase()
    if (!/\d/.test(text)) named.push({ text, unit, back })
  }
  const always = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  for (const unit of COUNTED)
    for (const sample of SAMPLES) {
      const [prefix, suffix] = always.format(-sample, unit).toLowerCase().split(String(sample))
      if (prefix !== undefined && suffix !== undefined) counted.push({ prefix, suffix, unit })
    }
}

const words: CalendarWords = { months: new Map(), named: [], counted: [] }
let learnt = 0

/** Learns another language, which takes some milliseconds. Returns false when all are known. */
export const learnCalendarWords = (): boolean => {
  const language = LANGUAGES[learnt++]
  if (language === undefined) return false
  addMonths(language, words)
  addExpressions(language, words)
  return true
}

/** Of the languages learnt so far; English at least. */
export const calendarWords = (): CalendarWords => {
  if (learnt === 0) learnCalendarWords()
  return words
}
