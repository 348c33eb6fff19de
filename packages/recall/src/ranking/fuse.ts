/** Joins what was found by words and by meaning, by reciprocal rank, because their scores cannot be compared. Pure. */
import type { IndexHit } from '../recall-index.ts'
import type { RankedHit } from './rank-hits.ts'
import { sum } from './weights.ts'

/** The usual constant: how little the first places of one list outweigh the other list. */
const SMOOTHING = 60
/** A similarity this many standard deviations above the mean of the candidates counts as identifying. */
const IDENTIFYING_DEVIATIONS = 3

const keyOf = ({ kind, id }: IndexHit): string => `${kind} ${id}`

/** `ranked`: by words, with all of `similar` among them. `similar`: by meaning, with the similarity as score. */
export const fuse = (ranked: readonly RankedHit[], similar: readonly IndexHit[]): readonly RankedHit[] => {
  if (similar.length === 0) return ranked
  const mean = sum(similar.map(({ score }) => score)) / similar.length
  const deviation = Math.sqrt(sum(similar.map(({ score }) => (score - mean) ** 2)) / similar.length) || 1
  const places = new Map(
    similar.map((hit, place) => [keyOf(hit), { place, relevance: (hit.score - mean) / deviation / IDENTIFYING_DEVIATIONS }]),
  )
  const fused = ranked.map((each, place): RankedHit => {
    const meaning = places.get(keyOf(each.hit))
    const byWords = each.terms.size === 0 ? 0 : 1 / (SMOOTHING + place)
    const score = byWords + (meaning ? 1 / (SMOOTHING + meaning.place) : 0)
    return { ...each, score, relevance: Math.max(each.relevance, meaning?.relevance ?? 0) }
  })
  return fused.sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}
