/** Counts, sizes, times and gauges as text; quotes for a shell. */

const CELLS = 10

/** Separates thousands by commas, in every locale. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 entry`, `3 entries`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`

/** Whole per cent, rounded down as in the agent's view of the store, at most 100. */
export const percentFull = (used: number, limit: number): number => (limit <= 0 ? 0 : Math.min(100, Math.trunc((used / limit) * 100)))

/** Any use shows at least one cell; only a full store shows a full bar. */
export const gauge = (used: number, limit: number): string => {
  const percent = percentFull(used, limit)
  const filled = used === 0 ? 0 : Math.max(1, Math.floor((percent * CELLS) / 100))
  return `${'▓'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${String(percent).padStart(3)}%  ${formatCount(used)}/${formatCount(limit)}`
}

/** Formats sizes: `940 B`, `12 KB`, `3.4 MB`. */

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB'] as const

export const formatBytes = (bytes: number): string => {
  const power = Math.min(BYTE_UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[power]}`
}

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

/** Quotes a word for a shell, so that a command that is shown can be copied. */

/** Plain words stay as they are. */
export const shellQuote = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
