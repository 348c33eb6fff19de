/** Who or what the best hit names: a search for "the plumber who saved our ceiling" finds a name first, and by the name what else is known. Pure. */
import type { IndexAnswer, IndexHit } from '../recall-index.ts'
import { termsOf } from '../text/terms.ts'
import { nameTerms } from './names.ts'
import { groupOf, type RankedHit, type RankingOptions, rankHits } from './rank-hits.ts'
import { bestSentence, type Weights, weightsOf } from './weights.ts'

const MOST_TERMS = 8

/** Terms of names in the best sentence of the best hit that the search did not have. */
export const namesIn = (ranked: readonly RankedHit[], weights: Weights, asked: readonly string[]): readonly string[] => {
  const hit = ranked[0]?.hit
  if (!hit) return []
  const known = new Set(asked)
  const sentence = bestSentence(`${hit.user}\n${hit.answer}`, weights).text.trim()
  return nameTerms(sentence)
    .filter((term) => !known.has(term))
    .slice(0, MOST_TERMS)
}

/** A hit by a name is worth this share of the hit that gave the name. */
const HOP_WEIGHT = 0.5
/** Names say less than the words of the search, so they bring few sessions. */
const MOST_SESSIONS = 2

const keyOf = ({ kind, id }: IndexHit): string => `${kind} ${id}`

/** The weight of the rarest name that a hit holds, as a share of the rarest of all. */
const nameShare = ({ user, answer }: IndexHit, names: Weights): number => {
  const terms = new Set(termsOf(`${user} ${answer}`))
  const held = [...names].flatMap(([term, weight]) => (terms.has(term) ? [weight] : []))
  return Math.max(0, ...held) / Math.max(1, ...names.values())
}

/** Adds what the names lead to. `hop`: the answer to a search for the names; `answer`: to the search itself. */
export const withSecondHop = (
  direct: readonly RankedHit[],
  hop: IndexAnswer,
  answer: IndexAnswer,
  options: RankingOptions,
): readonly RankedHit[] => {
  const [best] = direct
  if (!best) return direct
  const names = weightsOf(hop)
  const known = new Map(direct.map((each) => [keyOf(each.hit), each]))
  const own = rankHits({ ...answer, hits: hop.hits }, options).map((each) => known.get(keyOf(each.hit)) ?? each)
  const led = own
    .map((each) => ({ each, share: HOP_WEIGHT * nameShare(each.hit, names) }))
    .map(({ each, share }) => ({
      ...each,
      score: Math.max(each.score, share * best.score + each.score),
      relevance: Math.max(each.relevance, share * best.relevance + each.relevance),
    }))
    .sort((a, b) => b.score - a.score)
  const groups = new Set([...new Set(led.map(({ hit }) => groupOf(hit)))].slice(0, MOST_SESSIONS))
  const added = led.filter(({ hit }) => groups.has(groupOf(hit)))
  const replaced = new Set(added.map(({ hit }) => keyOf(hit)))
  return [...direct.filter(({ hit }) => !replaced.has(keyOf(hit))), ...added].sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}
