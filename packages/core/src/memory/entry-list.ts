/** Converts between entries and text: split, join, drop duplicates, find an entry by its text (reference hermes-memory 1 and 3). */
import { stripWhiteSpace } from '../shared/white-space.ts'

/** Separates two entries; a lone `§` inside an entry is text. */
export const ENTRY_DELIMITER = '\n§\n'

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
