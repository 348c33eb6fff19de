/** One skill as a line of the catalogue in the system prompt. Never shows text that a threat scan objects to. */
import type { SkillRow } from './skill-row.ts'

/** What the catalogue shows of a row. `path` tells skills of one name apart; shared skills are shown after all others, in the remaining room. */
export type CatalogEntry = Pick<SkillRow, 'name' | 'description' | 'category' | 'state' | 'lastActivityAt' | 'pinned'> &
  Partial<Pick<SkillRow, 'path' | 'shared' | 'project' | 'failing'>>

/** Returns the ids of the threats in a text; empty if there are none. */
export type IsSuspicious = (text: string) => readonly string[]

/** Skills with longer names are shown by path. Code points. */
const MAX_SHOWN_NAME_CHARS = 64

/** Descriptions are shown and scanned up to this length. UTF-16 units. */
const MAX_READ_CHARS = 4_096

/** Anything that may be read as a line end, and characters that change the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is folded here
const unshown = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Folds any text into one line. */
export const toLine = (text: string): string =>
  text
    .replace(unshown, ' ')
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .trim()

export const countChars = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** At most `limit` code points, the mark of the cut included. */
const shorten = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const chars = [...text.slice(0, limit * 2)]
  return chars.length <= limit && chars.join('') === text
    ? text
    : `${chars
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}

const isShowable = (name: string): boolean => name !== '' && toLine(name) === name && countChars(name) <= MAX_SHOWN_NAME_CHARS

export interface CatalogLine {
  readonly entry: CatalogEntry
  /** A target that `skill_view` accepts; `undefined` if it cannot be shown. */
  readonly address: string | undefined
  /** One line. */
  readonly description: string
}

/** `isShared`: another skill has the name too. */
export const toCatalogLine = (entry: CatalogEntry, isShared: boolean): CatalogLine => {
  const { name, path } = entry
  // A path without a parent folder looks like a name, which is ambiguous here.
  const place = path === undefined || path.includes('/') ? path : `${path}/SKILL.md`
  const candidates = isShared ? [place ?? name] : [name, ...(place === undefined ? [] : [place])]
  const isPath = (address: string) => address === place && address !== name
  const address = candidates.find((candidate) => (isPath(candidate) ? toLine(candidate) === candidate : isShowable(candidate)))
  return { entry, address, description: toLine(entry.description.slice(0, MAX_READ_CHARS)) }
}

const OUT_OF_SIGHT = 'Its text is kept out of sight; the user finds it in the list of skills.'

/** The line with the description cut to `chars` code points. If a scan objects, the line says so with the ids, without the text. */
export const renderCatalogLine = ({ entry, address, description }: CatalogLine, chars: number, isSuspicious: IsSuspicious): string => {
  const mark = `${entry.state === 'stale' ? ' (stale)' : ''}${entry.failing ? ' (failing)' : ''}`
  const ofName = address === undefined ? ['unshowable_name'] : [...isSuspicious(address)]
  if (ofName.length > 0) return `- [BLOCKED: the name of a skill: ${ofName.sort().join(', ')}. ${OUT_OF_SIGHT}]${mark}`
  const findings = [...isSuspicious(description === '' ? `${address}` : `${address}: ${description}`)]
  if (findings.length > 0) return `- ${address}${mark}: [BLOCKED: ${findings.sort().join(', ')}. ${OUT_OF_SIGHT}]`
  return description === '' ? `- ${address}${mark}` : `- ${address}${mark}: ${shorten(description, chars)}`
}
