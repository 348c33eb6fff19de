/** The dates that a reviewer is told, so that it can say which day "until Friday" means: calendar days of the user's time zone. Pure. */
import { dayIn } from '../../memory/entry-time.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const withWeekday = (day: string): string => `${WEEKDAYS[new Date(day).getUTCDay()]}, ${day}`

export class RequestDates {
  readonly #timeZone: string
  readonly #today: string

  /** `now`: epoch milliseconds. */
  constructor(now: number, timeZone: string) {
    this.#timeZone = timeZone
    this.#today = dayIn(timeZone, now)
  }

  get today(): string {
    return `Today is ${withWeekday(this.#today)} (${this.#timeZone}).`
  }

  /** When something was said, such as `on Friday, 2026-11-27`; `''` for today. `at`: epoch milliseconds; 0, or what can be no such time, if nobody knows; undefined for about now. */
  said(at: number | undefined): string {
    if (at === undefined) return ''
    if (at === 0 || Number.isNaN(new Date(at).getTime())) return 'on an unknown day'
    const day = dayIn(this.#timeZone, at)
    if (day === this.#today) return ''
    return /^\d{4}-/.test(day) && day < this.#today ? `on ${withWeekday(day)}` : 'on an unknown day'
  }
}
