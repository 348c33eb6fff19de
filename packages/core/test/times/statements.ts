/** Sentences with a time in four languages, what they mean on a day, and a scripted reviewer that reads the day from its request. */

const DAY_MS = 86_400_000

/** Sunday first, January first. */
const NAMES = {
  en: [
    'Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
    'January February March April May June July August September October November December',
  ],
  de: [
    'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag',
    'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  ],
  fr: [
    'dimanche lundi mardi mercredi jeudi vendredi samedi',
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  ],
  es: [
    'domingo lunes martes miércoles jueves viernes sábado',
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  ],
} as const

type Language = keyof typeof NAMES

const weekdays = (language: Language) => NAMES[language][0].split(' ')
const months = (language: Language) => NAMES[language][1].split(' ')

/** `{w}` a weekday, `{d}` and `{e}` days of the month `{m}`. */
const FORMS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    "Until {w} I'm in Lisbon",
    'Until {d} {m} I work from home',
    'From {m} on I report to Ada',
    'From {d} to {e} {m} I am on leave',
    'Until tomorrow I am on call',
  ],
  de: [
    'Bis {w} bin ich in Lissabon',
    'Bis {d}. {m} arbeite ich zu Hause',
    'Ab {m} berichte ich an Ada',
    'Vom {d}. bis {e}. {m} habe ich Urlaub',
    'Bis morgen habe ich Bereitschaft',
  ],
  fr: [
    "Jusqu'à {w} je suis à Lisbonne",
    "Jusqu'au {d} {m} je travaille à la maison",
    'À partir de {m} je dépends de Ada',
    'Du {d} au {e} {m} je suis en congé',
    "Jusqu'à demain je suis de garde",
  ],
  es: [
    'Hasta el {w} estoy en Lisboa',
    'Hasta el {d} de {m} trabajo en casa',
    'A partir de {m} dependo de Ada',
    'Del {d} al {e} de {m} estoy de vacaciones',
    'Hasta mañana estoy de guardia',
  ],
}

interface Time {
  readonly from?: string
  readonly until?: string
}

export interface Statement {
  readonly text: string
  /** For the day on which it is said. */
  readonly meaning: (today: string) => Time
}

const plus = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const next = (today: string, month: number, day: number): string => {
  const of = (year: number) => `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const year = Number(today.slice(0, 4))
  return of(year) >= today ? of(year) : of(year + 1)
}

const nextWeekday = (today: string, weekday: number): string => plus(today, (weekday - new Date(today).getUTCDay() + 7) % 7 || 7)

/** Five of each language; `round` chooses the weekday, the month and the days. */
export const statements = (round: number): readonly Statement[] =>
  (Object.keys(NAMES) as Language[]).flatMap((language, at) => {
    const [weekday, month, day] = [(round * 2 + at + 1) % 7, (round * 5 + at * 2) % 12, 3 + round * 4 + at]
    const fill = (form: string) =>
      form
        .replace('{w}', weekdays(language)[weekday] ?? '')
        .replace('{m}', months(language)[month] ?? '')
        .replace('{d}', String(day))
        .replace('{e}', String(day + 6))
    const meanings: readonly Statement['meaning'][] = [
      (today) => ({ until: nextWeekday(today, weekday) }),
      (today) => ({ until: next(today, month, day) }),
      (today) => ({ from: next(today, month, 1) }),
      (today) => ({ from: next(today, month, day), until: plus(next(today, month, day), 6) }),
      (today) => ({ until: plus(today, 1) }),
    ]
    return FORMS[language].map((form, index) => ({ text: fill(form), meaning: meanings[index] as Statement['meaning'] }))
  })

/** As a model would: the day from the request, the rest from the words. */
const resolve = (text: string, today: string): Time => {
  const number = (match: RegExpExecArray | null) => Number(match?.[1])
  const words = text.split(/[^\p{L}]+/u)
  const named = (kind: 0 | 1) =>
    Object.values(NAMES).flatMap((names) => names[kind].split(' ').flatMap((name, at) => (words.includes(name) ? [at] : [])))[0]
  const [weekday, month] = [named(0), named(1)]
  if (/tomorrow|morgen|demain|mañana/.test(text)) return { until: plus(today, 1) }
  if (weekday !== undefined) return { until: nextWeekday(today, weekday) }
  const range = /(\d+)\.? (?:to|bis|au|al) (\d+)/.exec(text)
  if (range && month !== undefined) return { from: next(today, month, number(range)), until: next(today, month, Number(range[2])) }
  const day = /(\d+)/.exec(text)
  if (day && month !== undefined) return { until: next(today, month, number(day)) }
  return month === undefined ? {} : { from: next(today, month, 1) }
}

/** The day that a request names for a text: of its turn, or today. */
const dayShown = (request: string, text: string): string | undefined => {
  const before = request.slice(0, request.indexOf(text))
  const line = /\(said on \w+, (\d{4}-\d\d-\d\d)\)\n\[[^\n]*\] $/.exec(before)
  return (line ?? /Today is \w+, (\d{4}-\d\d-\d\d) \(/.exec(request))?.[1]
}

export const proposalFor = (text: string, request: string) => ({
  target: 'user',
  op: { action: 'add', content: text, ...resolve(text, dayShown(request, text) ?? '') },
  rationale: 'said so',
  score: 0.9,
  evidence: [{ quote: text }],
})
