/**
 * The similarity of two texts, in code points, and the blocks they share: Ratcliff and Obershelp with the choices and numbers of Python's difflib (its rule for
 * popular elements included), within a budget of work.
 */

/** Remaining steps, shared by all attempts of one patch. Below zero, results must not be used. */
export interface WorkBudget {
  left: number
}

/** Takes `steps` off the budget; returns whether they were available. */
const spend = (budget: WorkBudget, steps: number): boolean => {
  budget.left -= steps
  return budget.left >= 0
}

/** `length` elements from index `a` of one text equal those from index `b` of the other. */
export interface MatchingBlock {
  readonly a: number
  readonly b: number
  readonly length: number
}

interface Pair {
  readonly a: readonly number[]
  readonly b: readonly number[]
}

interface Range {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

const POPULAR_FROM_LENGTH = 200
const NOWHERE: readonly number[] = []

/** The positions of each element in `b`, ascending; elements that occur too often in a long `b` are left out, as in difflib. */
const positionsIn = (b: readonly number[]): ReadonlyMap<number, readonly number[]> => {
  const positions = new Map<number, number[]>()
  b.forEach((element, index) => {
    const known = positions.get(element)
    if (known) known.push(index)
    else positions.set(element, [index])
  })
  if (b.length < POPULAR_FROM_LENGTH) return positions
  const mostOften = Math.floor(b.length / 100) + 1
  return new Map([...positions].filter(([, { length }]) => length <= mostOften))
}

/** Finds the longest block in a range, the earliest of equals; the tables are shared by all ranges of one pair. */
const longestRunFinder = ({ a, b }: Pair, budget: WorkBudget) => {
  const positions = positionsIn(b)
  const positionsOf = (index: number): readonly number[] => positions.get(a[index] ?? -1) ?? NOWHERE
  // Length of the run ending at each element of `b`, shifted by one, for the previous and the present element of `a`.
  let above = new Int32Array(b.length + 1)
  let current = new Int32Array(b.length + 1)
  return ({ fromA, toA, fromB, toB }: Range): MatchingBlock => {
    let best: MatchingBlock = { a: fromA, b: fromB, length: 0 }
    if (!spend(budget, toB - fromB)) return best
    above.fill(0, fromB, toB + 1)
    current.fill(0, fromB, toB + 1)
    for (let i = fromA; i < toA; i++) {
      const row = positionsOf(i)
      if (!spend(budget, row.length + 1)) return best
      for (const j of row) {
        if (j < fromB || j >= toB) continue
        const length = (above[j] ?? 0) + 1
        current[j + 1] = length
        if (length > best.length) best = { a: i - length + 1, b: j - length + 1, length }
      }
      for (const j of positionsOf(i - 1)) above[j + 1] = 0
      ;[above, current] = [current, above]
    }
    return best
  }
}

/** Extends the block on both sides by equal elements, popular ones included. */
const extend = ({ a, b }: Pair, { fromA, toA, fromB, toB }: Range, block: MatchingBlock): MatchingBlock => {
  let before = 0
  const roomBefore = Math.min(block.a - fromA, block.b - fromB)
  while (before < roomBefore && a[block.a - before - 1] === b[block.b - before - 1]) before++
  let { length } = block
  const roomAfter = Math.min(toA - block.a, toB - block.b)
  while (length < roomAfter && a[block.a + length] === b[block.b + length]) length++
  return { a: block.a - before, b: block.b - before, length: length + before }
}

/** Blocks in order of position. When the budget is spent, the rest counts as different. */
export const matchingBlocks = (a: readonly number[], b: readonly number[], budget: WorkBudget): readonly MatchingBlock[] => {
  const pair = { a, b }
  const findLongestRun = longestRunFinder(pair, budget)
  const blocks: MatchingBlock[] = []
  const open: Range[] = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }]
  for (let range = open.pop(); range && budget.left >= 0; range = open.pop()) {
    const { fromA, toA, fromB, toB } = range
    const block = extend(pair, range, findLongestRun(range))
    if (block.length === 0) continue
    blocks.push(block)
    if (fromA < block.a && fromB < block.b) open.push({ fromA, toA: block.a, fromB, toB: block.b })
    const endA = block.a + block.length
    const endB = block.b + block.length
    if (endA < toA && endB < toB) open.push({ fromA: endA, toA, fromB: endB, toB })
  }
  return blocks.sort((one, other) => one.a - other.a)
}

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
