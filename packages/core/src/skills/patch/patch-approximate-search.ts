/**
 * Finds text that only resembles the quoted one: whole lines, by anchors and by similarity. It may match lines that were not quoted, so
 * it runs on request only (reference skills-curator 7).
 */
import { stripWhiteSpace } from '../../shared/white-space.ts'
import { type PatchSpan, spanOfLines, splitLines } from './patch-lines.ts'
import { spend, type WorkBudget } from './patch-matching-blocks.ts'
import { areSimilar, type CodePoints, toCodePoints } from './patch-similarity.ts'
import type { PatchFind } from './patch-strategy.ts'
import { toPlainTypography } from './patch-typography.ts'

const ONE_CANDIDATE_SIMILARITY = 0.5
const MANY_CANDIDATES_SIMILARITY = 0.7
const LINE_SIMILARITY = 0.8

/** The indexes at which a window of `count` of `lines` lines may begin. */
const windowStarts = (lines: number, count: number): readonly number[] =>
  Array.from({ length: Math.max(0, lines - count + 1) }, (_, index) => index)

/** The same first and last line after trimming, and a similar middle; a higher similarity is required if several places match. */
const findByAnchors = (content: string, oldText: string, budget: WorkBudget): readonly PatchSpan[] => {
  const lines = splitLines(content)
  const plain = splitLines(toPlainTypography(content).text).texts
  const quoted = splitLines(toPlainTypography(oldText).text).texts
  const count = quoted.length
  if (count < 3) return []
  const trimmed = plain.map(stripWhiteSpace)
  const first = stripWhiteSpace(quoted[0] ?? '')
  const last = stripWhiteSpace(quoted[count - 1] ?? '')
  const quotedMiddle = toCodePoints(quoted.slice(1, -1).join('\n'))
  const candidates = windowStarts(plain.length, count).filter((at) => trimmed[at] === first && trimmed[at + count - 1] === last)
  const least = candidates.length === 1 ? ONE_CANDIDATE_SIMILARITY : MANY_CANDIDATES_SIMILARITY
  const isSimilarAt = (at: number): boolean => {
    const { start, end } = spanOfLines(lines, at + 1, count - 2)
    if (!spend(budget, count + end - start)) return false
    return areSimilar(toCodePoints(plain.slice(at + 1, at + count - 1).join('\n')), quotedMiddle, least, budget)
  }
  return candidates.filter(isSimilarAt).map((at) => spanOfLines(lines, at, count))
}

/** Every line similar to its counterpart; a blank line matches only a blank line. */
const findBySimilarLines = (content: string, oldText: string, budget: WorkBudget): readonly PatchSpan[] => {
  const lines = splitLines(content)
  const trimmed = lines.texts.map(stripWhiteSpace)
  const points: CodePoints[] = trimmed.map(toCodePoints)
  const quoted = splitLines(oldText).texts.map((line) => {
    const text = stripWhiteSpace(line)
    return { text, points: toCodePoints(text) }
  })
  // The first and last line are compared first: they rule out most windows.
  const order = [...new Set([0, quoted.length - 1, ...quoted.keys()])]
  const matches = (at: number): boolean =>
    order.every((index) => {
      const line = quoted[index]
      if (line === undefined || !spend(budget, 1)) return false
      if (line.text === trimmed[at + index]) return true
      return areSimilar(line.points, points[at + index] ?? [], LINE_SIMILARITY, budget)
    })
  return windowStarts(lines.texts.length, quoted.length)
    .filter(matches)
    .map((at) => spanOfLines(lines, at, quoted.length))
}

/** Like `findSafely`, for text that resembles `oldText`. If the budget is spent, the result is meaningless: check `budget.left`. */
export const findApproximately = (content: string, oldText: string, budget: WorkBudget): PatchFind | undefined => {
  const byAnchors = findByAnchors(content, oldText, budget)
  if (byAnchors.length > 0) return { strategy: 'block_anchor', spans: byAnchors, quoted: oldText }
  const byLines = findBySimilarLines(content, oldText, budget)
  return byLines.length > 0 ? { strategy: 'context_aware', spans: byLines, quoted: oldText } : undefined
}
