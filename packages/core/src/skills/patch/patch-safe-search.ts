/** Finds the quoted text, ignoring only differences of white space, escapes and typography (reference skills-curator 7). */
import { stripWhiteSpace } from '../../shared/white-space.ts'
import { type PatchSpan, spanOfLines, splitLines } from './patch-lines.ts'
import { type MappedText, mapText, toOriginalSpan } from './patch-mapped-text.ts'
import { findLineRuns, findText } from './patch-sequence.ts'
import type { PatchFind } from './patch-strategy.ts'
import { toPlainTypography } from './patch-typography.ts'

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
