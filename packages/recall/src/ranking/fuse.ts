/** Adds what was found by meaning to what was found by words. Pure. */
import type { IndexHit } from '../recall-index.ts'
import type { RankedHit } from './rank-hits.ts'
import { sum } from './weights.ts'

/** Found by meaning, with the similarity as score. */
export interface Meant {
  /** Among all items. */
  readonly near: readonly IndexHit[]
  /** Among those that hold a name of the search. */
  readonly named: readonly IndexHit[]
}

/** The nearest of all is worth this share of the best hit by words. Not more: a weak model would push out what words find. */
const MEANING_WEIGHT = 0.35
/** The nearest of those with the name: they share it, so meaning tells them apart. */
const NAMED_WEIGHT = 0.25
/** A similarity this many standard deviations above the mean of the candidates counts in full. */
const FULL_DEVIATIONS = 3
/** Meaning alone is not enough to be shown unasked, because something is always the nearest. */
const MEANING_RELEVANCE = 0.3

const keyOf = ({ kind, id }: IndexHit): string => `${kind} ${id}`

/** From 0 to 1 for each, compared with the others. */
const nearnessOf = (similar: readonly IndexHit[]): ReadonlyMap<string, number> => {
  const mean = sum(similar.map(({ score }) => score)) / similar.length
  const deviation = Math.sqrt(sum(similar.map(({ score }) => (score - mean) ** 2)) / similar.length) || 1
  return new Map(similar.map((hit) => [keyOf(hit), Math.min(1, Math.max(0, (hit.score - mean) / deviation / FULL_DEVIATIONS))]))
}

/** `ranked`: by words, with all that was meant among them. */
export const fuse = (ranked: readonly RankedHit[], { near, named }: Meant): readonly RankedHit[] => {
  if (near.length === 0) return ranked
  const amongAll = nearnessOf(near)
  const amongNamed = nearnessOf(named)
  const best = Math.max(1, ranked[0]?.score ?? 0)
  const fused = ranked.map((each): RankedHit => {
    const all = amongAll.get(keyOf(each.hit)) ?? 0
    const some = amongNamed.get(keyOf(each.hit)) ?? 0
    return {
      ...each,
      score: each.score + best * (MEANING_WEIGHT * all + NAMED_WEIGHT * some),
      relevance: each.relevance + MEANING_RELEVANCE * Math.max(all, some),
    }
  })
  return fused.sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}
