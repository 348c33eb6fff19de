/** Formats spans of time: `3d ago`, `in 2h`. Pure. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const UNITS = [
  [365 * DAY_MS, 'y'],
  [30 * DAY_MS, 'mo'],
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'm'],
] as const

/** `spanMs`: milliseconds. Whole units, rounded down: `59m`, `23h`, `29d`, `11mo`; `''` under a minute. */
export const formatSpan = (spanMs: number): string => {
  const unit = UNITS.find(([size]) => spanMs >= size)
  return unit ? `${Math.floor(spanMs / unit[0])}${unit[1]}` : ''
}

/** Epoch milliseconds; 0 is `never`. */
export const relativeTime = (at: number, now: number): string => {
  if (at === 0) return 'never'
  const span = formatSpan(Math.abs(now - at))
  if (span === '') return 'just now'
  return at <= now ? `${span} ago` : `in ${span}`
}

/** `2026-05-23 14:05 UTC`. */
export const formatInstant = (at: number): string => {
  const instant = new Date(at)
  return Number.isNaN(instant.getTime()) ? 'unknown' : `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
