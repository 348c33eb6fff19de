/** Facts that hold for a time, such as "in Lisbon until Friday": their days are calendar days of the user's time zone, both included. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import type { EntryTime, MemoryOp } from './memory-op.ts'

/** How a day is written. */
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether it is a day of the calendar, such as `2026-12-04`. */
export const isDay = (value: unknown): value is string => {
  if (typeof value !== 'string' || !DAY.test(value)) return false
  const at = Date.parse(`${value}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(value)
}

export const isTime = ({ from, until }: { readonly [Key in keyof EntryTime]: unknown }): boolean =>
  [from, until].every((day) => day === undefined || isDay(day))

/** The days alone. */
export const timeOf = ({ from, until }: { readonly action?: unknown } & EntryTime = {}): EntryTime => ({
  ...(from === undefined ? {} : { from }),
  ...(until === undefined ? {} : { until }),
})

export const isSameTime = (one: EntryTime = {}, other: EntryTime = {}): boolean => one.from === other.from && one.until === other.until

const formats = new Map<string, Intl.DateTimeFormat>()

/** Time zones that are remembered; a server can have people in each. */
const MOST_ZONES = 64

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  if (formats.size >= MOST_ZONES) formats.clear()
  formats.set(timeZone, format)
  return format
}

/** The calendar day there. `at`: epoch milliseconds. */
export const dayIn = (timeZone: string, at: number): string => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** `today`: called only for an entry with days. */
export const isOver = ({ until }: EntryTime, today: () => string): boolean => until !== undefined && until < today()

export const isAhead = ({ from }: EntryTime, today: () => string): boolean => from !== undefined && from > today()

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** No zone is further from UTC. */
const MOST_OFFSET_MINUTES = 16 * 60

/** The first minute of a day there: it may begin late where clocks are changed at midnight. */
const startOf = (day: string, timeZone: string): number => {
  const utc = Date.parse(`${day}T00:00:00Z`)
  let [before, after] = [-MOST_OFFSET_MINUTES, MOST_OFFSET_MINUTES]
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2)
    if (dayIn(timeZone, utc + between * MINUTE_MS) >= day) after = between
    else before = between
  }
  return utc + after * MINUTE_MS
}

/** Undefined behind the last year that a day can name. */
const dayAfter = (day: string): string | undefined => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, DAY_LENGTH)
  return DAY.test(next) ? next : undefined
}

const DAY_LENGTH = 10

/** When the first of these entries begins or ceases to hold, in epoch milliseconds. Undefined if none ever will. */
export const nextChange = (times: readonly EntryTime[], zone: () => string, now: number): number | undefined => {
  if (times.every(({ from, until }) => from === undefined && until === undefined)) return undefined
  const timeZone = zone()
  const today = dayIn(timeZone, now)
  const days = times.flatMap(({ from, until }) => [from ?? [], (until !== undefined && dayAfter(until)) || []].flat())
  const [next] = days.filter((day) => day > today).sort()
  return next === undefined ? undefined : startOf(next, timeZone)
}

const invalid = (message: string): HermesError => new HermesError('invalid', message)

const noDay = (name: 'from' | 'until', value: unknown): HermesError => {
  const shown = typeof value === 'string' && DAY.test(value) ? `'${value}' is no day of the calendar` : 'is no day'
  return invalid(
    `'${name}' ${shown}. Give a day as YYYY-MM-DD, such as 2026-12-04, without a time of day; what no day can say, such as "every other Friday", belongs into the words of the entry.`,
  )
}

/** Why an entry cannot have these days. `today`: called only if it matters; undefined: days that are over are accepted. */
export const timeFault = (
  { from, until }: { readonly from?: unknown; readonly until?: unknown },
  today: (() => string) | undefined,
): HermesError | undefined => {
  if (from !== undefined && !isDay(from)) return noDay('from', from)
  if (until !== undefined && !isDay(until)) return noDay('until', until)
  if (from !== undefined && until !== undefined && from > until)
    return invalid(
      `The entry would hold from ${from} until ${until}, which comes first. Both days are included: give 'from' as the earlier one.`,
    )
  return today && isOver({ until }, today)
    ? invalid(
        `'until' is ${until}, and today is ${today()}: what is over does not belong into memory. Leave 'until' out if the entry still holds.`,
      )
    : undefined
}

/** What operations say of the days of the texts that they write: a replace says so in any case, an add only if it names one. */
export const timesOf = (ops: readonly MemoryOp[]): ReadonlyMap<string, EntryTime> =>
  new Map(
    ops.flatMap((op) => {
      if (op.action === 'remove') return []
      const time = timeOf(op)
      return op.action === 'replace' || Object.keys(time).length > 0 ? [[op.content, time] as const] : []
    }),
  )

/** For a list and an explanation: `from 2026-12-01 until 2026-12-04`; `''` for an entry that always holds. */
export const describeTime = ({ from, until }: EntryTime): string =>
  [from === undefined ? '' : `from ${from}`, until === undefined ? '' : `until ${until}`].filter((part) => part !== '').join(' ')
