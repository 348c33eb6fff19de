/** Times in the format of Python Hermes (reference skills-curator 4): ISO 8601, microseconds, UTC. */

const DATE = '(?:(\\d{4})-(\\d{2})-(\\d{2})|(\\d{4})(\\d{2})(\\d{2})|(\\d{4})-?W(\\d{2})(?:-?([1-7]))?)'
const CLOCK = '(\\d{2})(?::?(\\d{2})(?::?(\\d{2})(?:[.,](\\d+))?)?)?'
const ZONE = '(Z|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2}(?:\\.\\d+)?)?)?)'

const stamp = new RegExp(`^${DATE}(?:[^](?:${CLOCK})${ZONE}?)?$`)
const zone = /^([+-])(\d{2}):?(\d{2})?:?(\d{2})?(?:\.(\d+))?$/

const DAY_MS = 86_400_000

/** `Date.UTC` would move the years 0 to 99 into the twentieth century. Undefined for a day that does not exist. */
const dayAt = (year: number, month: number, day: number): number | undefined => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

const weekDayAt = (year: number, week: number, day: number): number | undefined => {
  const fourth = dayAt(year, 1, 4)
  if (fourth === undefined || week < 1) return undefined
  const monday = (time: number) => time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS
  const at = monday(fourth) + ((week - 1) * 7 + day - 1) * DAY_MS
  const nextYear = dayAt(year + 1, 1, 4)
  return nextYear !== undefined && at >= monday(nextYear) ? undefined : at
}

/** Digits after the sixth are cut, as in Python. */
const microseconds = (digits: string | undefined): number => Number((digits ?? '').slice(0, 6).padEnd(6, '0'))

/** Microseconds east of UTC. */
const offsetOf = (text: string | undefined): number | undefined => {
  if (text === undefined || text === 'Z') return 0
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction] = zone.exec(text) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e6 + microseconds(fraction)
  return sign === '-' ? -total : total
}

/**
 * Epoch milliseconds, with microseconds as a fraction. A stamp without a zone is UTC. `undefined` for anything Python cannot read,
 * numbers included.
 */
export const parsePythonTime = (value: unknown): number | undefined => {
  const found = typeof value === 'string' ? stamp.exec(value) : null
  if (!found) return undefined
  const [, year, month, day, packedYear, packedMonth, packedDay, weekYear, week, weekDay, ...time] = found
  const [hours = '0', minutes = '0', seconds = '0', fraction, offset] = time
  const start =
    weekYear === undefined
      ? dayAt(Number(year ?? packedYear), Number(month ?? packedMonth), Number(day ?? packedDay))
      : weekDayAt(Number(weekYear), Number(week), Number(weekDay ?? 1))
  const east = offsetOf(offset)
  if (start === undefined || east === undefined) return undefined
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const sinceMidnight = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e6 + microseconds(fraction)
  return (start * 1000 + sinceMidnight - east) / 1000
}

/** `2026-01-05T12:00:00.250000+00:00`; like Python's isoformat, without a zero fraction. */
export const formatPythonTime = (at: number): string => {
  const micros = Math.round(at * 1000)
  const second = Math.floor(micros / 1e6)
  const fraction = micros - second * 1e6
  const whole = new Date(second * 1000).toISOString().slice(0, -'.000Z'.length)
  return `${whole}${fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`}+00:00`
}
