/**
 * Uses of a skill by UTC day, as one short text, so that the sidecar of a large library stays small: the newest day with a use, then the uses of that day
 * and of each day before it, such as `2026-05-20 3,0,1`. Pure.
 */

export const USE_DAYS = 60

const DAY_MS = 86_400_000
const FORMAT = /^(\d{4}-\d{2}-\d{2}) (\d{1,9}(?:,\d{1,9}){0,59})$/

interface DailyUses {
  /** Days since 1970 of the first count. */
  readonly day: number
  /** Newest first. */
  readonly counts: readonly number[]
}

/** Undefined for any other text or value. */
const parse = (text: unknown): DailyUses | undefined => {
  const [, day = '', counts = ''] = (typeof text === 'string' && FORMAT.exec(text)) || []
  const at = Date.parse(day)
  return Number.isNaN(at) ? undefined : { day: at / DAY_MS, counts: counts.split(',').map(Number) }
}

const zeros = (count: number): readonly number[] => Array.from({ length: Math.min(count, USE_DAYS) }, () => 0)

/** The stored text if it is one; else undefined. */
export const checkUses = (value: unknown): string | undefined => (parse(value) ? String(value) : undefined)

/** Counts one use. A text that cannot be read starts anew. Days too old to be kept, and times outside the years 0 to 9999, change nothing. */
export const addUse = (text: string | undefined, at: number): string | undefined => {
  const today = Math.floor(at / DAY_MS)
  const known = parse(text) ?? { day: today, counts: [] }
  const day = Math.max(known.day, today)
  const counts = [...zeros(day - known.day), ...known.counts, ...zeros(day - today + 1)].slice(0, USE_DAYS)
  const uses = counts.map((count, ago) => (day - ago === today ? Math.min(count + 1, 999_999_999) : count))
  const name = Math.abs(day * DAY_MS) <= 8.64e15 ? new Date(day * DAY_MS).toISOString().slice(0, 10) : ''
  const next = `${name} ${uses.join(',').replace(/(?:,0)+$/, '')}`
  return checkUses(next) ?? text
}

/** Uses on each of the last 60 UTC days, oldest first; the last one is the day of `now`. `text`: `usesByDay` of a record. */
export const readUsesByDay = (text: string | undefined, now: number): readonly number[] => {
  const known = parse(text)
  const today = Math.floor(now / DAY_MS)
  return zeros(USE_DAYS).map((_, index) => (known ? (known.counts[known.day - (today - USE_DAYS + 1 + index)] ?? 0) : 0))
}
