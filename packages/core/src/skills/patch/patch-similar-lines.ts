/** Finds the lines of a text most similar to a quoted text that was not found. */
import { stripWhiteSpace } from '../../shared/white-space.ts'
import { areSimilar, similarityRatio, toCodePoints } from './patch-similarity.ts'

/** `line` counts from 1. */
export interface SimilarLine {
  readonly line: number
  readonly text: string
}

const LEAST_SIMILARITY = 0.5
const COMPARED_CHARS = 160
const MOST_LINES = 3
const BUDGET = 80_000

const comparable = (line: string) => toCodePoints(stripWhiteSpace(line).slice(0, COMPARED_CHARS))

/** At most three lines, most similar to the first non-blank line of `wanted`, best first. Only part of a very long text is read. */
export const findSimilarLines = (content: string, wanted: string): readonly SimilarLine[] => {
  const anchor = comparable(wanted.split('\n').find((line) => stripWhiteSpace(line) !== '') ?? '')
  if (anchor.length === 0) return []
  const budget = { left: BUDGET }
  return content
    .split('\n')
    .flatMap((text, index) => {
      if (budget.left < 0 || stripWhiteSpace(text) === '') return []
      const points = comparable(text)
      if (!areSimilar(anchor, points, LEAST_SIMILARITY, budget)) return []
      return { line: index + 1, text, ratio: similarityRatio(anchor, points, budget) }
    })
    .sort((one, other) => other.ratio - one.ratio || one.line - other.line)
    .slice(0, MOST_LINES)
    .map(({ line, text }) => ({ line, text }))
}
