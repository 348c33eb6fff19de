/** Ranks the candidates of an index: BM25 over the two halves of a turn, its best sentence, and its session, with a mild preference for what is recent. Pure. */
import type { IndexAnswer, IndexHit, TimeSpan } from '../recall-index.ts'
import { termsOf } from '../text/terms.ts'
import { bestSentence, MOST_CHARS, PRIOR_ITEMS, sum, type Weights, weightsOf } from './weights.ts'

export interface RankingOptions {
  readonly now: number
  /** After this time the preference for what is recent has halved. */
  readonly halfLifeMs: number
  /** Terms of the names in the search. */
  readonly names: readonly string[]
  /** The time that the search speaks of. */
  readonly span?: Required<TimeSpan>
}

export interface RankedHit {
  readonly hit: IndexHit
  /** Greater is better. */
  readonly score: number
  /** What the best sentence shares with the search, as a share of what identifies one item among all; a name and a time of the search count extra. */
  readonly relevance: number
  /** The terms that the hit shares with the search. */
  readonly terms: ReadonlySet<string>
}

// Tuned on benchmarks/recall with other seeds than the published one.

/** Of BM25: how soon repetitions stop counting, and how much long texts are discounted. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.3
/** What the agent said counts less than what the user said, who knows. */
const ANSWER_WEIGHT = 0.4
/** The best sentence, beside all of the turn. */
const SENTENCE_SHARE = 3
/** What the other turns of its session add to a turn. */
const SESSION_SHARE = 0.5
const RECENT_BONUS = 0.3
const AUTOMATED_WEIGHT = 0.5
/** For what is from the time that the search speaks of. */
const SPAN_WEIGHT = 4
const SPAN_RELEVANCE = 0.75
/** For what has a name of the search: other words have synonyms, a name has none, and questions about the world seldom name somebody known. */
const NAME_WEIGHT = 2
const NAME_RELEVANCE = 0.25
/** Greater than 1: rare terms decide, and no number of common ones makes up for them. */
const SHARPNESS = 1.5
/** A long search has to share more: this share of all that it says, in a home that holds most words. */
const SEARCH_SHARE = 0.4

interface TermCounts {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

const countTerms = (text: string, weights: Weights): TermCounts => {
  const terms = termsOf(text.slice(0, MOST_CHARS))
  const counts = new Map<string, number>()
  for (const term of terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}

const answerWeightOf = ({ kind }: IndexHit): number => (kind === 'turn' ? ANSWER_WEIGHT : 1)

/** What each term adds to the score of a turn. */
const partsOf = (hit: IndexHit, weights: Weights, meanLength: number): ReadonlyMap<string, number> => {
  const user = countTerms(hit.kind === 'turn' ? hit.user : hit.source, weights)
  const answer = countTerms(hit.answer, weights)
  const answerWeight = answerWeightOf(hit)
  const length = user.length + answer.length * answerWeight
  const discount = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * (length / Math.max(1, meanLength)))
  const parts = new Map<string, number>()
  for (const [term, weight] of weights) {
    const count = (user.counts.get(term) ?? 0) + (answer.counts.get(term) ?? 0) * answerWeight
    if (count > 0) parts.set(term, (weight * count * (SATURATION + 1)) / (count + discount))
  }
  return parts
}

export const groupOf = (hit: IndexHit): string => (hit.kind === 'turn' ? `turn ${hit.source}` : `${hit.kind} ${hit.id}`)

interface Scored {
  readonly hit: IndexHit
  readonly parts: ReadonlyMap<string, number>
  readonly turn: number
  readonly sentence: number
}

/** All that a session's candidates say about each term. */
const wholeOf = (scored: readonly Scored[]): number => {
  const best = new Map<string, number>()
  for (const { parts } of scored) for (const [term, part] of parts) best.set(term, Math.max(part, best.get(term) ?? 0))
  return sum(best.values())
}

const sentenceOf = (hit: IndexHit, weights: Weights, answerWeight: number): number => {
  const said = Math.max(bestSentence(hit.user, weights).weight, answerWeight * bestSentence(hit.answer, weights).weight)
  return hit.kind === 'turn' ? said : Math.max(said, bestSentence(hit.source, weights).weight)
}

/** The best first; all candidates, so that the caller decides how many of a session it takes. */
export const rankHits = (answer: IndexAnswer, { now, halfLifeMs, names, span }: RankingOptions): readonly RankedHit[] => {
  const plain = weightsOf(answer)
  const weights: Weights = new Map([...plain].map(([term, weight]) => [term, weight ** SHARPNESS]))
  const groups = new Map<string, Scored[]>()
  for (const hit of answer.hits) {
    const parts = partsOf(hit, weights, answer.meanLength)
    const scored = { hit, parts, turn: sum(parts.values()), sentence: sentenceOf(hit, weights, answerWeightOf(hit)) }
    groups.set(groupOf(hit), [...(groups.get(groupOf(hit)) ?? []), scored])
  }
  const vocabulary = answer.items / (answer.items + PRIOR_ITEMS)
  const identifying = Math.max(Math.log(answer.items + PRIOR_ITEMS), SEARCH_SHARE * vocabulary * sum(plain.values()))
  const rank = ({ hit, parts, turn, sentence }: Scored, whole: number): RankedHit => {
    const isThen = span !== undefined && hit.at >= span.after && hit.at < span.before
    const own = turn + SENTENCE_SHARE * sentence + SESSION_SHARE * (whole - turn)
    const recent = 1 + RECENT_BONUS * 2 ** (-Math.max(0, now - hit.at) / halfLifeMs)
    const isNamed = names.some((name) => parts.has(name))
    const score = own * recent * (isNamed ? NAME_WEIGHT : 1) * (isThen ? SPAN_WEIGHT : 1) * (hit.automated ? AUTOMATED_WEIGHT : 1)
    const relevance = sentenceOf(hit, plain, 1) / identifying + (isThen ? SPAN_RELEVANCE : 0) + (isNamed ? NAME_RELEVANCE : 0)
    return { hit, score, relevance, terms: new Set(parts.keys()) }
  }
  const ranked = [...groups.values()].flatMap((scored) => {
    const whole = wholeOf(scored)
    return scored.map((each) => rank(each, whole))
  })
  return ranked.sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}

/** At most `perSession` of each session, `limit` together. */
export const bestOf = (ranked: readonly RankedHit[], limit: number, perSession: number): readonly RankedHit[] => {
  const taken = new Map<string, number>()
  const best: RankedHit[] = []
  for (const each of ranked) {
    const count = taken.get(groupOf(each.hit)) ?? 0
    if (count >= perSession) continue
    taken.set(groupOf(each.hit), count + 1)
    best.push(each)
    if (best.length === limit) break
  }
  return best
}
