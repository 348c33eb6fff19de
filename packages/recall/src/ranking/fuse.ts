/** Adds what was found by meaning to what was found by words. Pure. */
import type { IndexHit } from '../recall-index.ts'
import type { RankedHit } from './rank-hits.ts'
import { sum } from './weights.ts'

/** The nearest of all is worth this share of the best hit by words. Not more: a weak model would push out what words find. */
const MEANING_WEIGHT = 0.35
/** A similarity this many standard deviations above the mean of the candidates counts in full. */
const FULL_DEVIATIONS = 3
/** Meaning alone is not enough to be shown unasked, because something is always the nearest. */
const MEANING_RELEVANCE = 0.3

const keyOf = ({ kind, id }: IndexHit): string => `${kind} ${id}`

/** `ranked`: by words, with all of `similar` among them. `similar`: by meaning, with the similarity as score. */
export const fuse = (ranked: readonly RankedHit[], similar: readonly IndexHit[]): readonly RankedHit[] => {
  if (similar.length === 0) return ranked
  const mean = sum(similar.map(({ score }) => score)) / similar.length
  const deviation = Math.sqrt(sum(similar.map(({ score }) => (score - mean) ** 2)) / similar.length) || 1
  const nearness = new Map(similar.map((hit) => [keyOf(hit), Math.min(1, Math.max(0, (hit.score - mean) / deviation / FULL_DEVIATIONS))]))
  const best = Math.max(1, ranked[0]?.score ?? 0)
  const fused = ranked.map((each): RankedHit => {
    const near = nearness.get(keyOf(each.hit)) ?? 0
    return { ...each, score: each.score + MEANING_WEIGHT * best * near, relevance: each.relevance + MEANING_RELEVANCE * near }
  })
  return fused.sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}
