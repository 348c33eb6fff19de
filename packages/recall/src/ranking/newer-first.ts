/** Of two statements about the same, the newer one holds. Pure. */
import type { RankedHit } from './rank-hits.ts'
import { sum, type Weights } from './weights.ts'

/** A newer hit goes first if it has this share of the score, and shares this much of what the older one shares with the search. */
const SAME_SCORE = 0.5
const SAME_TERMS = 0.9
const MOST_COMPARED = 5

const isNewerOfSame = (newer: RankedHit, older: RankedHit, weights: Weights): boolean => {
  if (newer.hit.at <= older.hit.at || newer.score < older.score * SAME_SCORE || newer.hit.automated) return false
  const weigh = (terms: Iterable<string>): number => sum([...terms].map((term) => weights.get(term) ?? 0))
  return weigh([...older.terms].filter((term) => newer.terms.has(term))) >= SAME_TERMS * weigh(older.terms)
}

export const newerFirst = (ranked: readonly RankedHit[], weights: Weights): readonly RankedHit[] => {
  const list = ranked.slice(0, MOST_COMPARED)
  for (let index = 0; index < list.length; index++) {
    const older = list[index]
    const at = older ? list.findLastIndex((newer, place) => place > index && isNewerOfSame(newer, older, weights)) : -1
    const [newer] = at > index ? list.splice(at, 1) : []
    if (newer) list.splice(index, 0, newer)
  }
  return [...list, ...ranked.slice(MOST_COMPARED)]
}
