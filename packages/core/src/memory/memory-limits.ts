/** The limits of the stores, and what separates their entries: all that a start needs to know of the memory files. */
import { ENTRIES_SCAN_MAX_CHARS } from '../threats/scan-limits.ts'

/** Separates two entries; a lone `§` inside an entry is text. */
export const ENTRY_DELIMITER = '\n§\n'

/** Code points, for MEMORY.md. */
export const DEFAULT_MEMORY_CHAR_LIMIT = 2200
/** Code points, for the MEMORY.md of a project. */
export const DEFAULT_PROJECT_CHAR_LIMIT = 2200
/** Code points, for the entries of PROFILE.json. */
export const PROFILE_CHAR_LIMIT = 2200
/** Code points, for USER.md. */
export const DEFAULT_USER_CHAR_LIMIT = 1375
/** The highest limit for `createHermes` and config.yaml: more is not scanned together, so it would be refused. */
export const MAX_CHAR_LIMIT = ENTRIES_SCAN_MAX_CHARS

/** Room for the headings and for the text of a memory provider. */
const MIN_BLOCK_CHARS = 8_000

/** The text of a session, by the limits of what is in it: each part may be overfull, with headings. Code points. */
export const defaultMaxBlockChars = (...limits: readonly number[]): number =>
  Math.max(MIN_BLOCK_CHARS, 2 * limits.reduce((sum, limit) => sum + limit, 0))

/** Returns the limit; throws unless it is a non-negative integer. */
export const checkCharLimit = (name: string, limit: number): number => {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit
  throw new RangeError(`${name} must be a whole number of characters, 0 or more; it is ${String(limit)}.`)
}
