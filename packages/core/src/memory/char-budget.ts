/** Sizes in Unicode code points: independent of the model, and an emoji counts once (reference hermes-memory 1 and 6). */
import { countCodePoints } from '../shared/code-points.ts'
import { ENTRIES_SCAN_MAX_CHARS } from '../threats/scan-limits.ts'
import { joinEntries } from './entry-list.ts'

/** Code points, for MEMORY.md. */
export const DEFAULT_MEMORY_CHAR_LIMIT = 2200
/** Code points, for USER.md. */
export const DEFAULT_USER_CHAR_LIMIT = 1375
/** The highest limit for `createHermes` and config.yaml: more is not scanned together, so it would be refused. */
export const MAX_CHAR_LIMIT = ENTRIES_SCAN_MAX_CHARS

/** Room for the headings and for the text of a memory provider. */
const MIN_BLOCK_CHARS = 8_000

/** The text of a session, by the limits of what is in it: each part may be overfull, with headings. Code points. */
export const defaultMaxBlockChars = (...limits: readonly number[]): number =>
  Math.max(MIN_BLOCK_CHARS, 2 * limits.reduce((sum, limit) => sum + limit, 0))

/** Includes delimiters: the length of the stored text. */
export const countUsedChars = (entries: readonly string[]): number => countCodePoints(joinEntries(entries))

/** Thousands separated by commas, in every locale. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `<pct>% — <used>/<limit> chars`; the percentage is rounded down, and at most 100. */
export const formatUsage = (usedChars: number, charLimit: number): string => {
  const percent = charLimit === 0 ? 0 : Math.min(100, Math.trunc((usedChars / charLimit) * 100))
  return `${percent}% — ${formatCount(usedChars)}/${formatCount(charLimit)} chars`
}

/** Returns the limit; throws unless it is a non-negative integer. */
export const checkCharLimit = (name: string, limit: number): number => {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit
  throw new RangeError(`${name} must be a whole number of characters, 0 or more; it is ${String(limit)}.`)
}

/** The first `length` code points, with `...` if shortened. */
export const previewText = (text: string, length = 80): string => {
  let preview = ''
  let count = 0
  for (const point of text) {
    if (count++ === length) return `${preview}...`
    preview += point
  }
  return preview
}
