/** Finds the quoted text, ignoring only differences of white space, escapes and typography, in linear time (reference skills-curator 7). */
import { stripWhiteSpace } from '../../shared/white-space.ts'
import { type MappedText, mapText, type PatchSpan, spanOfLines, splitLines, toOriginalSpan, toPlainTypography } from './lines.ts'

// The engine's own string search is not linear on hostile input.

/** For each position, the length of the longest prefix of `wanted` that also ends there (Knuth, Morris, Pratt). */
const bordersOf = (wanted: ArrayLike<number>): Int32Array => {
  const borders = new Int32Array(wanted.length)
  let length = 0
  for (let index = 1; index < wanted.length; index++) {
    while (length > 0 && wanted[index] !== wanted[length]) length = borders[length - 1] ?? 0
    if (wanted[index] === wanted[length]) length++
    borders[index] = length
  }
  return borders
}

export interface FindSequenceOptions {
  /** Also report occurrences that begin inside an earlier one. Default: false, left to right. */
  readonly overlapping?: boolean
  /** Maximum number of occurrences. Default: all. */
  readonly atMost?: number
}

/** The indexes in `within` at which `wanted` begins, ascending; none for an empty `wanted`. */
export const findSequence = (
  within: ArrayLike<number>,
  wanted: ArrayLike<number>,
  { overlapping = false, atMost = Number.POSITIVE_INFINITY }: FindSequenceOptions = {},
): readonly number[] => {
  const found: number[] = []
  if (wanted.length === 0 || wanted.length > within.length) return found
  const borders = bordersOf(wanted)
  let matched = 0
  for (let index = 0; index < within.length; index++) {
    while (matched > 0 && within[index] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (within[index] === wanted[matched]) matched++
    if (matched < wanted.length) continue
    found.push(index - wanted.length + 1)
    if (found.length >= atMost) return found
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0
  }
  return found
}

const toCodeUnits = (text: string): Uint16Array => {
  const units = new Uint16Array(text.length)
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index)
  return units
}

/** Maximum number of places a search reports: more than a patch replaces. */
export const MOST_PLACES = 10_000

/** The offsets (UTF-16 units) at which `wanted` occurs in `within`, left to right, not overlapping; at most `MOST_PLACES`. */
export const findText = (within: string, wanted: string): readonly number[] =>
  wanted.length > within.length ? [] : findSequence(toCodeUnits(within), toCodeUnits(wanted), { atMost: MOST_PLACES })

/** The indexes at which the lines `wanted` occur in sequence in `within`, overlapping ones included; at most `MOST_PLACES`. */
export const findLineRuns = (within: readonly string[], wanted: readonly string[]): readonly number[] => {
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size
    numbers.set(line, known)
    return known
  }
  return findSequence(within.map(numberOf), wanted.map(numberOf), { overlapping: true, atMost: MOST_PLACES })
}

/** In the order tried, with the reference's names; text that only resembles the quoted one is never replaced. */
export type SkillPatchStrategy = 'exact' | 'line_trimmed' | 'whitespace_normalized' | 'escape_normalized' | 'unicode_normalized'

/** The places where one strategy found the text. */
export interface PatchFind {
  readonly strategy: SkillPatchStrategy
  /** At least one, ascending. Spans of whole lines may overlap. */
  readonly spans: readonly PatchSpan[]
  /** The old text as searched for: its lines correspond to those of each span. */
  readonly quoted: string
}

const findExact = (content: string, wanted: string): readonly PatchSpan[] =>
  findText(content, wanted).map((start) => ({ start, end: start + wanted.length }))

const findMapped = (content: MappedText, wanted: MappedText): readonly PatchSpan[] =>
  findExact(content.text, wanted.text).flatMap((span) => toOriginalSpan(content, span) ?? [])

/** Whole lines of `content` that equal those of `wanted` after `read` has normalised both. */
const findLines = (content: string, wanted: string, read: (line: string) => string): readonly PatchSpan[] => {
  const lines = splitLines(content)
  const quoted = splitLines(wanted).texts.map(read)
  return findLineRuns(lines.texts.map(read), quoted).map((first) => spanOfLines(lines, first, quoted.length))
}

const collapseSpaces = (text: string): MappedText => mapText(text, /[ \t]+/g, () => ' ')

const findTypographic = (content: string, wanted: string): readonly PatchSpan[] => {
  const plainContent = toPlainTypography(content)
  const plainWanted = toPlainTypography(wanted)
  if (plainContent.text === content && plainWanted.text === wanted) return []
  const inside = findMapped(plainContent, plainWanted)
  return inside.length > 0 ? inside : findLines(content, wanted, (line) => stripWhiteSpace(toPlainTypography(line).text))
}

/** Replaces `\n`, `\t` and `\r` written as two characters with the real ones. */
const resolveEscapes = (text: string): string => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r')

const hasRuns = (text: string): boolean => /\t| {2}/.test(text)

/** Exact occurrences, in a text of any length. */
export const findAsWritten = (content: string, oldText: string): PatchFind | undefined => {
  const spans = findExact(content, oldText)
  return spans.length > 0 ? { strategy: 'exact', spans, quoted: oldText } : undefined
}

/** The result of the first strategy that finds `oldText`; `undefined` if none does. Linear in both texts, but in several passes. */
export const findSafely = (content: string, oldText: string): PatchFind | undefined => {
  const resolved = resolveEscapes(oldText)
  const searches = [
    { strategy: 'line_trimmed', quoted: oldText, find: () => findLines(content, oldText, stripWhiteSpace) },
    {
      strategy: 'whitespace_normalized',
      quoted: oldText,
      find: () => (hasRuns(content) || hasRuns(oldText) ? findMapped(collapseSpaces(content), collapseSpaces(oldText)) : []),
    },
    {
      strategy: 'escape_normalized',
      quoted: resolved,
      // A text of escapes alone is not searched for: it would match any blank.
      find: () => (resolved === oldText || stripWhiteSpace(resolved) === '' ? [] : findExact(content, resolved)),
    },
    { strategy: 'unicode_normalized', quoted: oldText, find: () => findTypographic(content, oldText) },
  ] as const
  for (const { strategy, quoted, find } of searches) {
    const spans = find()
    if (spans.length > 0) return { strategy, spans, quoted }
  }
  return undefined
}
