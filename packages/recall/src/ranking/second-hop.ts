/** Who or what the best hits name: a search for "the plumber who saved our ceiling" finds a name first, and by the name what else is known. Pure. */
import type { IndexAnswer } from '../recall-index.ts'
import { termsOf } from '../text/terms.ts'
import { bestSentence, groupOf, type RankedHit, type RankingOptions, rankHits, type Weights, weightsOf } from './rank-hits.ts'

/** A capital letter within a sentence, in scripts that have them. */
const NAME =
  /(?<=[\p{L}\p{N},;:]\s+["'(]?)\p{Lu}[\p{L}\p{M}\p{N}'-]+(?:\s+\p{Lu}[\p{L}\p{M}\p{N}'-]+)*|^\p{Lu}[\p{L}\p{M}'-]+(?:\s+\p{Lu}[\p{L}\p{M}'-]+)+/gu
const HITS = 1
const MOST_TERMS = 8

/** Terms of names in the best sentences of the best hits that the search did not have. */
export const namesIn = (ranked: readonly RankedHit[], weights: Weights, asked: readonly string[]): readonly string[] => {
  const known = new Set(asked)
  const names = new Set<string>()
  for (const { hit } of ranked.slice(0, HITS)) {
    const sentence = bestSentence(`${hit.user}\n${hit.answer}`, weights).text.trim()
    for (const [name] of sentence.matchAll(NAME)) for (const term of termsOf(name)) if (!known.has(term) && term.length > 2) names.add(term)
  }
  return [...names].slice(0, MOST_TERMS)
}

const HOP_WEIGHT = 0.5
const MOST_SESSIONS = 2

const keyOf = ({ kind, id }: RankedHit['hit']): string => `${kind} ${id}`

/**
 * Adds what the names lead to. A hit by a name is worth a share of the hit that gave the name, as far as it holds the names, and what it shares with the search itself.
 */
export const withSecondHop = (
  direct: readonly RankedHit[],
  hop: IndexAnswer,
  answer: IndexAnswer,
  options: RankingOptions,
): readonly RankedHit[] => {
  const best = direct[0]?.score ?? 0
  const weights = weightsOf(hop)
  const whole = Math.max(...weights.values(), 1)
  const known = new Map(direct.map((each) => [keyOf(each.hit), each]))
  const rankedHere = rankHits({ ...hop, frequencies: new Map([...answer.frequencies, ...hop.frequencies]) }, options)
  const own = rankHits({ ...answer, hits: hop.hits }, options)
  const ownScores = new Map(own.map((each) => [keyOf(each.hit), each.score]))
  const scored = rankedHere.map((each) => {
    const key = keyOf(each.hit)
    const shared = new Set(termsOf(`${each.hit.user} ${each.hit.answer}`))
    const held = [...weights].filter(([term]) => shared.has(term)).map(([, weight]) => weight)
    const boost = (HOP_WEIGHT * best * Math.max(0, ...held)) / whole
    return { each, own: Math.max(ownScores.get(key) ?? 0, known.get(key)?.score ?? 0), boosted: boost + (ownScores.get(key) ?? 0) }
  })
  // Names say less than the words of the search, so they bring few sessions.
  const groups = new Set<string>()
  const added = scored
    .sort((a, b) => b.boosted - a.boosted)
    .map(({ each, own, boosted }) => {
      if (groups.size < MOST_SESSIONS) groups.add(groupOf(each.hit))
      const score = groups.has(groupOf(each.hit)) ? Math.max(boosted, own) : own
      return { ...(known.get(keyOf(each.hit)) ?? each), score }
    })
  const replaced = new Set(added.map(({ hit }) => keyOf(hit)))
  return [...direct.filter(({ hit }) => !replaced.has(keyOf(hit))), ...added].sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}
