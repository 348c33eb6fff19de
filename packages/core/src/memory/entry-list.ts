/** The entries of a store as text: split, join, collapse duplicates, find one by its words (reference hermes-memory 1 and 3). */
import { stripWhiteSpace } from '../shared/white-space.ts'

/** Stands between two entries; a lone `§` inside an entry is text. */
export const ENTRY_DELIMITER = '\n§\n'

/** CRLF and CR become LF, on read and on write. */
export const normaliseNewlines = (text: string): string => text.replace(/\r\n?/g, '\n')

export const joinEntries = (entries: readonly string[]): string => entries.join(ENTRY_DELIMITER)

/** Takes text with LF only. Blank entries drop out, duplicates stay. */
export const splitEntries = (text: string): readonly string[] =>
  text
    .split(ENTRY_DELIMITER)
    .map(stripWhiteSpace)
    .filter((entry) => entry !== '')

/** The first of equal entries stays. */
export const dedupeEntries = (entries: readonly string[]): readonly string[] => [...new Set(entries)]

export type EntryLocation =
  | { readonly kind: 'found'; readonly index: number }
  | { readonly kind: 'none' }
  /** Different entries match: their texts. */
  | { readonly kind: 'ambiguous'; readonly matches: readonly string[] }

/** An entry equal to the text wins; else the only one that contains it, letter for letter. Of identical matches, the first. */
export const locateEntry = (entries: readonly string[], text: string): EntryLocation => {
  const equal = entries.indexOf(text)
  if (equal >= 0) return { kind: 'found', index: equal }
  const matches = dedupeEntries(entries.filter((entry) => entry.includes(text)))
  const [first] = matches
  if (first === undefined) return { kind: 'none' }
  return matches.length > 1 ? { kind: 'ambiguous', matches } : { kind: 'found', index: entries.indexOf(first) }
}

/**
 * An entry whose last line is `§` and that is not the last entry: its `§` would run into the delimiter after it, and reading back would
 * give other entries. `undefined` where reading back gives exactly these.
 */
export const findUnstableEntry = (entries: readonly string[]): string | undefined =>
  entries.slice(0, -1).find((entry) => entry.endsWith('\n§'))
