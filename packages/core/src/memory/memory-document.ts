/**
 * The text of a memory file: its entries, their sizes, its bytes (reference hermes-memory 1 and 6). Sizes are in Unicode code points: independent of the model,
 * and an emoji counts once. Bytes are strict UTF-8 with an optional byte order mark and any line ends.
 */

import { countCodePoints } from '../shared/code-points.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import type { Cut, StoredDocument } from '../storage/storage-backend.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { ENTRY_DELIMITER } from './memory-limits.ts'
import type { MemoryTarget } from './memory-op.ts'
import { decodeProfile, encodeProfile } from './profile-entry.ts'

/** CRLF and CR become LF, on read and on write. */
export const normaliseNewlines = (text: string): string => text.replace(/\r\n?/g, '\n')

export const joinEntries = (entries: readonly string[]): string => entries.join(ENTRY_DELIMITER)

/** Expects LF line ends. Drops blank entries, keeps duplicates. */
export const splitEntries = (text: string): readonly string[] =>
  text
    .split(ENTRY_DELIMITER)
    .map(stripWhiteSpace)
    .filter((entry) => entry !== '')

/** Keeps the first of equal entries. */
export const dedupeEntries = (entries: readonly string[]): readonly string[] => [...new Set(entries)]

export type EntryLocation =
  | { readonly kind: 'found'; readonly index: number }
  | { readonly kind: 'none' }
  /** The texts of the different entries that match. */
  | { readonly kind: 'ambiguous'; readonly matches: readonly string[] }

/** An entry equal to the text, otherwise the only one that contains it verbatim. Of identical matches, the first. */
export const locateEntry = (entries: readonly string[], text: string): EntryLocation => {
  const equal = entries.indexOf(text)
  if (equal >= 0) return { kind: 'found', index: equal }
  const matches = dedupeEntries(entries.filter((entry) => entry.includes(text)))
  const [first] = matches
  if (first === undefined) return { kind: 'none' }
  return matches.length > 1 ? { kind: 'ambiguous', matches } : { kind: 'found', index: entries.indexOf(first) }
}

/**
 * An entry, other than the last, whose last line is `§`: it would merge with the following delimiter, and reading back would give
 * different entries. `undefined` if reading back gives exactly these entries.
 */
export const findUnstableEntry = (entries: readonly string[]): string | undefined =>
  entries.slice(0, -1).find((entry) => entry.endsWith('\n§'))

/** Includes delimiters: the length of the stored text. */
export const countUsedChars = (entries: readonly string[]): number => countCodePoints(joinEntries(entries))

/** Thousands separated by commas, in every locale. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `<pct>% — <used>/<limit> chars`; the percentage is rounded down, and at most 100. */
export const formatUsage = (usedChars: number, charLimit: number): string => {
  const percent = charLimit === 0 ? 0 : Math.min(100, Math.trunc((usedChars / charLimit) * 100))
  return `${percent}% — ${formatCount(usedChars)}/${formatCount(charLimit)} chars`
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

const FILE_NAMES: Readonly<Record<MemoryTarget, string>> = {
  memory: 'MEMORY.md',
  user: 'USER.md',
  project: 'MEMORY.md of the project',
  profile: 'PROFILE.json',
}

/** For messages. */
export const memoryFileName = (target: MemoryTarget): string => FILE_NAMES[target]

const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Bytes that are decoded at once: as many as a store within the highest limit may have. */
export const AT_ONCE_BYTES = 131_072

const BYTE_ORDER_MARK = '\uFEFF'

export interface MemoryDocument {
  /** Without duplicates, in file order. */
  readonly entries: readonly string[]
  /** True if a rewrite would drop blank lines, padding or empty entries, which carry no meaning. */
  readonly hasCosmeticDrift: boolean
}

/** For bytes that are not UTF-8. */
export const notText = (path: string, cause: unknown): HermesError => {
  const message = `'${path}' is not valid UTF-8, so it was left as it is. Save it as UTF-8, or move it away, then retry.`
  return new HermesError('unreadable', message, { cause, details: { path } })
}

/** Of a memory file or the profile. No entries if there are no bytes. `unreadable` if the bytes are not UTF-8: a rewrite would destroy text that a person may still recover. */
export const decodeMemoryDocument = (path: string, bytes: Uint8Array | undefined): Result<MemoryDocument> => {
  if (path === MEMORY_PATHS.profile) return decodeProfile(path, bytes)
  let text: string
  try {
    text = normaliseNewlines(decoder.decode(bytes))
  } catch (cause) {
    return err(notText(path, cause))
  }
  const parsed = splitEntries(text)
  const stripped = stripWhiteSpace(text)
  return ok({ entries: dedupeEntries(parsed), hasCosmeticDrift: stripped !== joinEntries(parsed) })
}

/** If the first entry itself starts with a byte order mark, a second one is written, because reading drops one. */
export const encodeMemoryDocument = (path: string, entries: readonly string[]): Uint8Array => {
  const text = path === MEMORY_PATHS.profile ? encodeProfile(entries) : joinEntries(entries)
  return encoder.encode(text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text)
}

/** `unreadable` also for an error of the storage. */
export const documentIn = (cut: Cut, path: string): Result<StoredDocument | undefined> => {
  try {
    return ok(cut.document(path))
  } catch (cause) {
    if (!HermesError.isInstance(cause)) throw cause
    if (cause.code !== 'io' && cause.code !== 'unwritable') return err(cause)
    return err(new HermesError('unreadable', `'${path}' cannot be read: ${cause.message}`, { cause, details: { path } }))
  }
}
