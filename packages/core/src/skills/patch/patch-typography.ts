/** Typographic characters and their plain forms: matching ignores the difference, replacing keeps the characters of the file. */
import { type MappedText, mapText } from './patch-mapped-text.ts'
import { type MatchingBlock, matchingBlocks, type WorkBudget } from './patch-matching-blocks.ts'

const PLAIN_FORMS: Readonly<Record<string, string>> = {
  '\u201c': '"',
  '\u201d': '"',
  '\u2018': "'",
  '\u2019': "'",
  '\u2013': '-',
  '\u2014': '--',
  '\u2212': '-',
  '\u2026': '...',
}

const TYPOGRAPHIC = /[\u00a0\u2000-\u200a\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u202f\u205f\u2212\u3000]/g

/** Smart quotes, dashes, ellipsis, minus and special spaces in their plain forms (reference skills-curator 7). */
export const toPlainTypography = (text: string): MappedText => mapText(text, TYPOGRAPHIC, (character) => PLAIN_FORMS[character] ?? ' ')

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
