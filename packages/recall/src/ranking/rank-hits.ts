/** Ranks the candidates of an index: BM25 over the two halves of a turn, then over their sessions, with a mild preference for what is recent. Pure. */
import type { IndexAnswer, IndexHit, TimeSpan } from '../recall-index.ts'
import { termsOf } from '../text/terms.ts'

export interface RankingOptions {
  readonly now: number
  /** After this time the preference for what is recent has halved. */
  readonly halfLifeMs: number
  /** The time that the search speaks of. */
  readonly span?: Required<TimeSpan>
}

export interface RankedHit {
  readonly hit: IndexHit
  /** Greater is better. */
  readonly score: number
  /** The information that the session shares with the search, as a share of what identifies one item among all: 1 is a strong match. */
  readonly relevance: number
  /** The terms that the hit shares with the search. */
  readonly terms: ReadonlySet<string>
}

/** Of BM25: how soon repetitions stop counting, and how much long texts are discounted. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.3
/** What the agent said counts less than what the user said, who knows. */
const ANSWER_WEIGHT = 0.4
/** What the other turns of its session add to the best turn. */
const SESSION_SHARE = 0.5
const RECENT_BONUS = 0.3
const AUTOMATED_WEIGHT = 0.5
/** Of a long text, the beginning is enough to rank it. */
const MOST_CHARS = 6_000

/** What is from the time that the search speaks of. */
const SPAN_WEIGHT = 4
/** Greater than 1: rare terms decide, and no number of common ones makes up for them. */
const SHARPNESS = 1.5
const SENTENCE_SHARE = 3

export type Weights = ReadonlyMap<string, number>

/** Inverse frequencies of the terms that some item holds. */
export const weightsOf = ({ frequencies, items }: IndexAnswer): Weights =>
  new Map(
    [...frequencies].flatMap(([term, frequency]) => {
      const weight = Math.log(1 + (items - frequency + 0.5) / (frequency + 0.5))
      return frequency > 0 && weight > 0 ? [[term, weight ** SHARPNESS] as const] : []
    }),
  )

const countTerms = (text: string, weights: Weights): { readonly counts: ReadonlyMap<string, number>; readonly length: number } => {
  const terms = termsOf(text.slice(0, MOST_CHARS))
  const counts = new Map<string, number>()
  for (const term of terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}

/** What each term adds to the score of a turn. */
const partsOf = (hit: IndexHit, weights: Weights, meanLength: number): ReadonlyMap<string, number> => {
  const user = countTerms(hit.user, weights)
  const answer = countTerms(hit.answer, weights)
  const answerWeight = hit.kind === 'turn' ? ANSWER_WEIGHT : 1
  const length = user.length + answer.length * answerWeight
  const discount = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * (length / Math.max(1, meanLength)))
  const parts = new Map<string, number>()
  for (const [term, weight] of weights) {
    const count = (user.counts.get(term) ?? 0) + (answer.counts.get(term) ?? 0) * answerWeight
    if (count > 0) parts.set(term, (weight * count * (SATURATION + 1)) / (count + discount))
  }
  return parts
}

export interface BestSentence {
  readonly text: string
  readonly weight: number
}

/** The sentence that shares the most with the search: words that are said together belong together. */
export const bestSentence = (text: string, weights: Weights): BestSentence => {
  let best: BestSentence = { text: '', weight: 0 }
  for (const sentence of text.slice(0, MOST_CHARS).split(SENTENCE_END)) {
    let weight = 0
    for (const term of new Set(termsOf(sentence))) weight += weights.get(term) ?? 0
    if (weight > best.weight) best = { text: sentence, weight }
  }
  return best
}

const SENTENCE_END = /[.!?。！？\n]+/u

const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

export const groupOf = (hit: IndexHit): string => (hit.kind === 'turn' ? `turn ${hit.source}` : `${hit.kind} ${hit.id}`)

interface Scored {
  readonly hit: IndexHit
  readonly parts: ReadonlyMap<string, number>
  readonly own: number
}

/** All that a session's candidates say about each term. */
const coverageOf = (scored: readonly Scored[]): ReadonlyMap<string, number> => {
  const best = new Map<string, number>()
  for (const { parts } of scored) for (const [term, part] of parts) best.set(term, Math.max(part, best.get(term) ?? 0))
  return best
}

/** The best first; all candidates, so that the caller decides how many of a session it takes. */
export const rankHits = (answer: IndexAnswer, { now, halfLifeMs, span }: RankingOptions): readonly RankedHit[] => {
  const weights = weightsOf(answer)
  const groups = new Map<string, Scored[]>()
  for (const hit of answer.hits) {
    const parts = partsOf(hit, weights, answer.meanLength)
    const group = groups.get(groupOf(hit)) ?? []
    group.push({
      hit,
      parts,
      own:
        sum(parts.values()) +
        SENTENCE_SHARE *
          Math.max(
            bestSentence(hit.user, weights).weight,
            (hit.kind === 'turn' ? ANSWER_WEIGHT : 1) * bestSentence(hit.answer, weights).weight,
          ),
    })
    groups.set(groupOf(hit), group)
  }
  const identifying = Math.log(answer.items + 1)
  const ranked = [...groups.values()].flatMap((scored) => {
    const coverage = coverageOf(scored)
    const whole = sum(coverage.values())
    return scored.map(({ hit, parts, own }): RankedHit => {
      const recent = RECENT_BONUS * 2 ** (-Math.max(0, now - hit.at) / halfLifeMs)
      const isThen = span !== undefined && hit.at >= span.after && hit.at < span.before
      const score =
        (isThen ? SPAN_WEIGHT : 1) *
        (own + SESSION_SHARE * (whole - sum(parts.values()))) *
        (1 + recent) *
        (hit.automated ? AUTOMATED_WEIGHT : 1)
      const shared = sum([...parts.keys()].map((term) => (weights.get(term) ?? 0) ** (1 / SHARPNESS)))
      return { hit, score, relevance: identifying === 0 ? 0 : shared / identifying, terms: new Set(parts.keys()) }
    })
  })
  return ranked.sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
}

/** Hits that say as much about the same, with at least this share of the score: then the newer is the one that holds. */
const SAME_SCORE = 0.5
const SAME_TERMS = 0.9
const MOST_COMPARED = 5

const isNewerOfSame = (newer: RankedHit, older: RankedHit, weights: Weights): boolean => {
  if (newer.hit.at <= older.hit.at || newer.score < older.score * SAME_SCORE || newer.hit.automated) return false
  const weigh = (terms: Iterable<string>): number => sum([...terms].map((term) => weights.get(term) ?? 0))
  return weigh([...older.terms].filter((term) => newer.terms.has(term))) >= SAME_TERMS * weigh(older.terms)
}

/** Puts the newer of two statements about the same first. `ranked`: at most one of each session. */
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
