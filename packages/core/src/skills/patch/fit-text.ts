/** Fits a new text to the place where it goes: escapes, typography and indent of what it replaces, line ends of the file. */
import { stripWhiteSpace } from '../../shared/white-space.ts'
import type { PatchFind } from './find-text.ts'
import { type PatchSpan, toPlainTypography } from './lines.ts'
import { type MatchingBlock, matchingBlocks, type WorkBudget } from './similarity.ts'

interface Texts {
  readonly oldText: string
  readonly newText: string
}

/** Comparison steps; they take a few milliseconds. */
const TYPOGRAPHY_BUDGET = 200_000

const INDENT = /^[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]*/

const indentOf = (line: string): string => INDENT.exec(line)?.[0] ?? ''

interface LinePair {
  readonly quoted: string
  readonly inFile: string
}

const isBlank = (line: string): boolean => stripWhiteSpace(line) === ''

/**
 * Prepares for one quoted text, found at any number of regions with the same number of lines. Each new line gets the indent of the file
 * where the quoted text has the new line's indent: at the same line if both texts have the same number of lines, otherwise at the first
 * such line. For a deeper or unknown indent, the difference to the first quoted line is kept.
 */
export const adoptIndentOf = (quoted: string): ((region: string, newText: string) => string) => {
  const quotedIndents = quoted.split('\n').map((line) => (isBlank(line) ? undefined : indentOf(line)))
  return (region, newText) => {
    const regionLines = region.split('\n')
    const pairs = quotedIndents.map((indent, index): LinePair | undefined => {
      const line = regionLines[index] ?? ''
      return indent === undefined || isBlank(line) ? undefined : { quoted: indent, inFile: indentOf(line) }
    })
    const base = pairs.find((pair) => pair !== undefined)
    if (!base) return newText
    const known = new Map<string, string>()
    for (const pair of pairs) if (pair && !known.has(pair.quoted)) known.set(pair.quoted, pair.inFile)
    const newLines = newText.split('\n')
    const indentFor = (indent: string, index: number): string => {
      const sameLine = newLines.length === pairs.length ? pairs[index] : undefined
      const adopted = sameLine?.quoted === indent ? sameLine.inFile : known.get(indent)
      if (adopted !== undefined) return adopted
      if (base.quoted === base.inFile) return indent
      return indent.startsWith(base.quoted) ? base.inFile + indent.slice(base.quoted.length) : base.inFile
    }
    const adopt = (line: string, index: number): string => {
      const indent = indentOf(line)
      return isBlank(line) ? line : indentFor(indent, index) + line.slice(indent.length)
    }
    return newLines.map(adopt).join('\n')
  }
}

const toUnits = (text: string): readonly number[] => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))

/** The blocks two texts share. Common prefix and suffix are taken first, since most edits are in the middle of a long text. */
const sharedBlocks = (before: readonly number[], after: readonly number[], budget: WorkBudget): readonly MatchingBlock[] => {
  const shortest = Math.min(before.length, after.length)
  let head = 0
  while (head < shortest && before[head] === after[head]) head++
  let tail = 0
  while (tail < shortest - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const inner = matchingBlocks(before.slice(head, before.length - tail), after.slice(head, after.length - tail), budget)
  return [
    { a: 0, b: 0, length: head },
    ...inner.map(({ a, b, length }) => ({ a: a + head, b: b + head, length })),
    { a: before.length - tail, b: after.length - tail, length: tail },
  ]
}

/**
 * `newText` with the typography of `region` wherever it agrees with the region's plain form. Its own plain form never changes: if only
 * half of a dash remains, that half is written as in `newText`. When the budget is spent, less is kept.
 */
export const keepTypography = (region: string, newText: string, budget: WorkBudget): string => {
  const { text, origins } = toPlainTypography(region)
  const pieces: string[] = []
  let written = 0
  for (const { a, b, length } of sharedBlocks(toUnits(text), toUnits(newText), budget)) {
    pieces.push(newText.slice(written, b))
    for (let at = a; at < a + length; ) {
      let next = at + 1
      while (origins[next] === origins[at]) next++
      const isWhole = origins[at] !== origins[at - 1] && next <= a + length
      const end = Math.min(next, a + length)
      pieces.push(isWhole ? region.slice(origins[at], origins[next]) : newText.slice(b + at - a, b + end - a))
      at = end
    }
    written = b + length
  }
  pieces.push(newText.slice(written))
  return pieces.join('')
}

/** All line ends of `text` are CRLF, and there is at least one. */
const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)

/** Whether line feeds of a replacement become CRLF: the file has only CRLF, and the caller wrote no CR. */
const wantsCrlf = (content: string, oldText: string, newText: string): boolean =>
  isCrlf(content) && !oldText.includes('\r') && !newText.includes('\r')

/** `text` with CRLF, and with the CR at the end of the replaced `region`. */
const toCrlf = (text: string, region: string): string =>
  text.replaceAll(/\r?\n/g, '\r\n') + (region.endsWith('\r') && !text.endsWith('\r') ? '\r' : '')

/**
 * Resolves `\t` and `\r` written as two characters if the replaced text has only real ones and the new text has none. `\n` is kept: line
 * breaks arrive as such, and code often has it. The CR of a CRLF does not count.
 */
const resolveEscapesLike = (region: string, newText: string): string => {
  const resolve = (text: string, sequence: string, real: string, isThere: boolean): string =>
    isThere && !region.includes(sequence) && !newText.includes(real) ? text.replaceAll(sequence, () => real) : text
  const withTabs = resolve(newText, '\\t', '\t', region.includes('\t'))
  return resolve(withTabs, '\\r', '\r', /\r(?!\n|$)/.test(region))
}

/** The new text adapted to its place: escapes, typography and indent of the region, line ends of the file. */
export const fitReplacement = (content: string, { oldText, newText }: Texts, { strategy, quoted }: PatchFind) => {
  const plainOldText = toPlainTypography(oldText).text
  const crlf = wantsCrlf(content, oldText, newText)
  const adoptIndent = adoptIndentOf(quoted)
  const budget: WorkBudget = { left: TYPOGRAPHY_BUDGET }
  const adapt = (region: string): string => {
    const text = resolveEscapesLike(region, newText)
    if (strategy === 'exact') return text
    const isTypographic = strategy === 'unicode_normalized' && toPlainTypography(region).text === plainOldText
    return isTypographic ? keepTypography(region, text, budget) : adoptIndent(region, text)
  }
  return ({ start, end }: PatchSpan): string => {
    const region = content.slice(start, end)
    return crlf ? toCrlf(adapt(region), region) : adapt(region)
  }
}
