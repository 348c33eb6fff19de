/** Which of some names a misspelt one may have meant. Pure. */
import { byCodeUnit } from '../storage/document-tree.ts'
import { similarityRatio, toCodePoints } from './patch/patch-similarity.ts'

const LEAST_ALIKE = 0.6
const MAX_NAMES = 5
const MAX_COMPARED_CHARS = 128

/** Best first, at most five; none where nothing comes near. */
export const closestNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const points = toCodePoints(wanted.slice(0, MAX_COMPARED_CHARS).toLowerCase())
  const budget = { left: 2_000_000 }
  return [...new Set(names)]
    .map((name) => ({ name, ratio: similarityRatio(points, toCodePoints(name.slice(0, MAX_COMPARED_CHARS).toLowerCase()), budget) }))
    .filter(({ name, ratio }) => ratio >= LEAST_ALIKE || (wanted.length > 2 && name.includes(wanted)))
    .sort((a, b) => b.ratio - a.ratio || byCodeUnit(a.name, b.name))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
}
