/** The similarity of two texts, in code points: Ratcliff and Obershelp's ratio with the numbers of Python's difflib. */
import { matchingBlocks, spend, type WorkBudget } from './patch-matching-blocks.ts'

export type CodePoints = readonly number[]

export const toCodePoints = (text: string): CodePoints => Array.from(text, (character) => character.codePointAt(0) ?? 0)

/** From 0 (nothing in common) to 1 (equal). Not symmetric, and too low once the budget is spent. */
export const similarityRatio = (a: CodePoints, b: CodePoints, budget: WorkBudget): number => {
  const total = a.length + b.length
  if (total === 0) return 1
  const inBlocks = matchingBlocks(a, b, budget).reduce((sum, { length }) => sum + length, 0)
  return (2 * inBlocks) / total
}

/** The number of elements two texts share, at any position. */
const countShared = (a: CodePoints, b: CodePoints): number => {
  const left = new Map<number, number>()
  for (const point of b) left.set(point, (left.get(point) ?? 0) + 1)
  let shared = 0
  for (const point of a) {
    const count = left.get(point) ?? 0
    if (count === 0) continue
    left.set(point, count - 1)
    shared++
  }
  return shared
}

/** Whether the ratio reaches `least`; cheap upper bounds avoid the full comparison of most pairs. */
export const areSimilar = (a: CodePoints, b: CodePoints, least: number, budget: WorkBudget): boolean => {
  const total = a.length + b.length
  if (total === 0) return true
  if (!spend(budget, 1) || (2 * Math.min(a.length, b.length)) / total < least) return false
  if (!spend(budget, total) || (2 * countShared(a, b)) / total < least) return false
  return similarityRatio(a, b, budget) >= least
}
